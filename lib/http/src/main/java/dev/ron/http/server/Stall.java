package dev.ron.http.server;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Notices that nothing has happened for a while, without reading a clock when something does.
 *
 * <p>Progress is a number that the owner changes; the tick notes since when it has been the same.
 *
 * <p>Threading: owned by its connection's event loop.
 */
final class Stall {
  private long progress;
  private @Nullable Instant since;

  /** True if {@code current} has not changed for {@code limit}. */
  boolean longerThan(Duration limit, long current, Instant now) {
    Instant begun = since;
    if (begun == null || current != progress) {
      progress = current;
      since = now;
      return false;
    }
    return now.isAfter(begun.plus(limit));
  }

  /** When it will have been that long if nothing happens; the end of time if nothing is awaited. */
  Instant due(Duration limit) {
    Instant begun = since;
    return begun == null ? Instant.MAX : begun.plus(limit);
  }

  boolean waits() {
    return since != null;
  }

  void clear() {
    since = null;
  }
}
