package dev.ron.capability;

/**
 * The answer to an {@link Ask}.
 *
 * <p>Threading: immutable.
 */
public sealed interface Verdict {
  /** The token allows it. */
  record Granted(Grant grant) implements Verdict {}

  /** It does not, or it is no token of ours. */
  record Refused(CapabilityFault fault) implements Verdict {}
}
