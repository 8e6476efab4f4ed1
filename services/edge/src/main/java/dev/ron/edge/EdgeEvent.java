package dev.ron.edge;

/**
 * What happened at the edge, for subscribers of {@code events}.
 *
 * <p>Threading: immutable.
 */
public sealed interface EdgeEvent {
  /** An upstream's answer came whole. */
  record Filled(String key, int status, long bytes, boolean stored) implements EdgeEvent {}

  /** A fill ended without an answer. */
  record FillFailed(String key, String code) implements EdgeEvent {}

  /** Stored answers were dropped because an unsafe request succeeded. */
  record Invalidated(String key, int answers) implements EdgeEvent {}

  /** A pack was mounted, replaced or taken away, or could not be. */
  record PackChanged(String pack, String what) implements EdgeEvent {}
}
