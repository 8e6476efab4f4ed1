package dev.ron.kernel.lock;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The locks the current thread holds, checked against their ranks.
 *
 * <p>Two rules make deadlock between locks impossible: a thread takes locks in rising rank only,
 * and it holds none when it starts to wait for something else. Both are checked here while
 * assertions are on, that is in every test, and cost nothing in production.
 *
 * <p>Threading: each thread sees only its own stack.
 */
public final class LockOrder {
  private static final ThreadLocal<Deque<RankedLock>> HELD =
      ThreadLocal.withInitial(ArrayDeque::new);
  private static final boolean CHECKED = LockOrder.class.desiredAssertionStatus();

  private LockOrder() {}

  static void taken(RankedLock lock) {
    if (!CHECKED) {
      return;
    }
    Deque<RankedLock> held = HELD.get();
    RankedLock last = held.peek();
    if (last != null && last.rank() >= lock.rank()) {
      throw new AssertionError(
          "lock order: %s (rank %d) taken while holding %s (rank %d)"
              .formatted(lock.name(), lock.rank(), last.name(), last.rank()));
    }
    held.push(lock);
  }

  static void released(RankedLock lock) {
    if (CHECKED) {
      HELD.get().removeFirstOccurrence(lock);
    }
  }

  /** Called where a thread is about to wait; holding any lock there is a bug. */
  public static void assertNoneHeld(String beforeWhat) {
    if (!CHECKED) {
      return;
    }
    RankedLock last = HELD.get().peek();
    if (last != null) {
      throw new AssertionError("blocking in " + beforeWhat + " while holding lock " + last.name());
    }
  }
}
