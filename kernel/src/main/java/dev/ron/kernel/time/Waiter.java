package dev.ron.kernel.time;

import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * Who waits for the work of a thread, to be told when that thread is stuck where it cannot be
 * cancelled, and when it begins to wait itself.
 *
 * <p>Travels with the thread as a scoped value, as {@link Deadline} does.
 */
@FunctionalInterface
public interface Waiter {
  /** For work that no request waits for. */
  Waiter NONE = _ -> {};

  /** The work has not moved for so long; its waiter should not expect it any more. */
  void giveUp(Duration after);

  /** The thread works no more for now: it waits. Must not wait, and may be told often. */
  default void pauses() {}

  /** The waiter for the work this thread does, or {@link #NONE}. */
  static Waiter current() {
    return Holder.CURRENT.orElse(NONE);
  }

  /** Runs work that this one waits for. */
  default <T> T call(Callable<T> work) throws Exception {
    return ScopedValue.where(Holder.CURRENT, this).call(work::call);
  }

  /** An interface cannot keep a field to itself. */
  final class Holder {
    private static final ScopedValue<Waiter> CURRENT = ScopedValue.newInstance();

    private Holder() {}
  }
}
