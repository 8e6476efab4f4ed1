package dev.ron.kernel.trace;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the recorded spans of one request have in common.
 *
 * <p>The calendar is read once for all of them: a clock that is set meanwhile cannot put a span
 * outside its parent.
 *
 * <p>Threading: thread-safe; {@code left} is atomic, the rest is immutable.
 */
final class LocalTrace {
  /** A request of a thousand messages must not fill the queue of spans by itself. */
  static final int SPANS_MAX = 64;

  private final Tracer tracer;
  private final Instant wall;
  private final Instant begun;
  private final AtomicInteger left = new AtomicInteger(SPANS_MAX);

  LocalTrace(Tracer tracer) {
    this.tracer = tracer;
    this.wall = tracer.time().wall();
    this.begun = tracer.time().now();
  }

  Tracer tracer() {
    return tracer;
  }

  /** What the calendar shows, had it not been set since the request came. */
  Instant wall() {
    return wall.plus(Duration.between(begun, tracer.time().now()));
  }

  /** Whether one more span may be recorded; counted if it may not. */
  boolean takesOneMore() {
    boolean takes = left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    if (!takes) {
      tracer.overflowed();
    }
    return takes;
  }
}
