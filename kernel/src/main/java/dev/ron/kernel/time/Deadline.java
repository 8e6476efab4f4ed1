package dev.ron.kernel.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;

/**
 * The moment after which the caller no longer wants the answer.
 *
 * <p>A request's deadline travels with the thread that works on it, as a scoped value. Work inside
 * may ask for less time but never for more: {@link #call} binds the earlier of the two.
 *
 * <p>Threading: immutable.
 */
public record Deadline(Instant at) implements Comparable<Deadline> {
  /** For work that only shutdown ends, such as a consumer waiting for its next item. */
  public static final Deadline NEVER = new Deadline(Instant.MAX);

  private static final ScopedValue<Deadline> CURRENT = ScopedValue.newInstance();

  public static Deadline in(Duration duration, Time time) {
    Instant now = time.now();
    return duration.compareTo(Duration.between(now, Instant.MAX)) >= 0
        ? NEVER
        : new Deadline(now.plus(duration));
  }

  /** The deadline of the work this thread does, or {@link #NEVER} outside of any. */
  public static Deadline current() {
    return CURRENT.isBound() ? CURRENT.get() : NEVER;
  }

  /** Runs under the earlier of this deadline and the current one. */
  public <T> T call(Callable<T> work) throws Exception {
    return ScopedValue.where(CURRENT, earlier(current())).call(work::call);
  }

  /** Like {@link #call}, for work that answers nothing and throws nothing checked. */
  public void run(Runnable work) {
    ScopedValue.where(CURRENT, earlier(current())).run(work);
  }

  public Deadline earlier(Deadline other) {
    return compareTo(other) <= 0 ? this : other;
  }

  public boolean passed(Instant now) {
    return !now.isBefore(at);
  }

  /** What is left, zero once it has passed. */
  public Duration remaining(Instant now) {
    return passed(now) ? Duration.ZERO : Duration.between(now, at);
  }

  @Override
  public int compareTo(Deadline other) {
    return at.compareTo(other.at);
  }
}
