package dev.ron.kernel.trace;

import java.util.random.RandomGenerator;

/**
 * Where a request belongs in a trace, in the form that goes from process to process.
 *
 * <p>Threading: immutable.
 *
 * @param high the first half of the trace's id
 * @param low the second half; the two are not both zero
 * @param spanId of the caller's span, not zero
 * @param flags those of W3C Trace Context: 1 sampled, 2 random trace id
 */
public record TraceContext(long high, long low, long spanId, int flags) {
  private static final int SAMPLED = 1;

  public TraceContext {
    if ((high | low) == 0 || spanId == 0) {
      throw new IllegalArgumentException("an id of a trace is zero");
    }
  }

  /** A trace that begins here. */
  static TraceContext fresh(RandomGenerator random, long low, boolean sampled) {
    return new TraceContext(random.nextLong(), low, id(random), sampled ? SAMPLED : 0);
  }

  /** Any number but zero, which means that there is none. */
  static long id(RandomGenerator random) {
    long id = random.nextLong();
    return id == 0 ? 1 : id;
  }

  /** Whether the caller records the trace, and so every process after it. */
  public boolean sampled() {
    return (flags & SAMPLED) != 0;
  }

  TraceContext child(RandomGenerator random) {
    return new TraceContext(high, low, id(random), flags);
  }
}
