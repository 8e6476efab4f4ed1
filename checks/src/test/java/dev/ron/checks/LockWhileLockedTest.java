package dev.ron.checks;

import org.junit.jupiter.api.Test;

/** A plain lock is a leaf. A line marked {@code // ERROR} must not compile. */
final class LockWhileLockedTest {
  @Test
  void aPlainLockIsALeafToAnyDepth() {
    Planted.compileAndCompareWithMarks(
        """
        class Locks {
          final ReentrantLock a = new ReentrantLock();
          final ReentrantLock b = new ReentrantLock();
          final RankedLock low = new RankedLock();
          final RankedLock high = new RankedLock();
          void nested() {
            a.lock();
            try {
              b.lock(); // ERROR [LockWhileLocked] takes Locks.b while holding Locks.a
              b.unlock();
              one(); // ERROR [LockWhileLocked] Locks.one Locks.two takes Locks.b while holding Locks.a
              inMonitor(); // ERROR [LockWhileLocked] takes the monitor of Locks.this while holding Locks.a
              again();
              if (b.tryLock()) { b.unlock(); }
            } finally {
              a.unlock();
            }
            one();
          }
          void block() {
            synchronized (a) {
              synchronized (b) { b.notifyAll(); } // ERROR [LockWhileLocked] takes the monitor of Locks.b while holding the monitor of Locks.a
            }
          }
          void ranked() throws Exception {
            low.run(() -> high.run(() -> {}));
            low.run(() -> one()); // ERROR [LockWhileLocked] Locks.one Locks.two takes Locks.b while holding Locks.low
            a.lock();
            try {
              low.run(() -> {}); // ERROR [LockWhileLocked] runs under Locks.low while holding Locks.a
            } finally {
              a.unlock();
            }
          }
          private void one() { two(); }
          void two() { b.lock(); b.unlock(); }
          synchronized void inMonitor() {}
          private void again() { a.lock(); a.unlock(); }
        }
        """,
        Planted.LOCKS_ONLY);
  }
}
