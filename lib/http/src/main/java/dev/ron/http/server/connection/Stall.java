package dev.ron.http.server.connection;

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
public final class Stall {
  private long progress;
  private @Nullable Instant since;

  /** True if {@code current} has not changed for {@code limit}. */
  public boolean longerThan(Duration limit, long current, Instant now) {
    Instant begun = since;
    if (begun == null || current != progress) {
      progress = current;
      since = now;
      return false;
    }
    return now.isAfter(begun.plus(limit));
  }

  /** When it will have been that long if nothing happens; the end of time if nothing is awaited. */
  public Instant due(Duration limit) {
    Instant begun = since;
    return begun == null ? Instant.MAX : begun.plus(limit);
  }

  boolean waits() {
    return since != null;
  }

  public void clear() {
    since = null;
  }
}
