package dev.ron.kernel.time;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One answer that one side gives and the other waits for, with a deadline.
 *
 * <p>An answer that may be a fault is a {@code T} that says so, such as a sealed outcome.
 *
 * <p>A worker that must not work for a request that is gone claims the reply first. The request
 * claims it too when it gives up, so exactly one of them decides, and of several workers that were
 * asked exactly one works.
 *
 * <p>Threading: thread-safe; the gate publishes the answer.
 */
public final class Reply<T> {
  private final Gate answered;
  private final AtomicReference<@Nullable T> value = new AtomicReference<>();
  private final AtomicBoolean claimed = new AtomicBoolean();
  private final Steps steps;

  /** Hears how far the work for an answer is; on the thread that does it, so it may not block. */
  public interface Steps {
    Steps NONE =
        new Steps() {
          @Override
          public void begun() {}

          @Override
          public void answered() {}
        };

    /** The worker has taken it up. */
    void begun();

    /** The answer is there. */
    void answered();
  }

  public Reply(Time time) {
    this(time, Steps.NONE);
  }

  public Reply(Time time, Steps steps) {
    this.answered = new Gate(time);
    this.steps = steps;
  }

  /** For a worker that takes up what it was asked for without a claim. */
  public void begin() {
    steps.begun();
  }

  /** Gives the answer; false if there was one before, which stays. */
  public boolean answer(T answer) {
    boolean first = value.compareAndSet(null, answer);
    if (first) {
      steps.answered();
    }
    answered.open();
    return first;
  }

  /** The answer, or null while there is none. */
  public @Nullable T now() {
    return value.get();
  }

  /**
   * The answer, or null if the deadline passed first; then {@link #claim} says whether one may
   * still come. An interrupted wait is given up, which claims the reply.
   */
  public @Nullable T await(Deadline deadline) throws InterruptedException {
    try {
      return answered.await(deadline) ? value.get() : null;
    } catch (InterruptedException gone) {
      claimed.set(true);
      throw gone;
    }
  }

  /** True for the first call alone. */
  public boolean claim() {
    boolean first = claimed.compareAndSet(false, true);
    if (first) {
      steps.begun();
    }
    return first;
  }

  public boolean claimed() {
    return claimed.get();
  }
}
