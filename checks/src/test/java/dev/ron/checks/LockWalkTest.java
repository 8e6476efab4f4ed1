package dev.ron.checks;

import org.junit.jupiter.api.Test;

/** The ways through a body. A line marked {@code // ERROR} must not compile, every other must. */
final class LockWalkTest {
  @Test
  void tryLockHoldsWhereItAnsweredTrue() {
    Planted.compileAndCompareWithMarks(
        """
        class Tries {
          final Lock lock = new ReentrantLock();
          void inIf() throws Exception {
            if (lock.tryLock()) {
              try {
                Thread.sleep(1); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding Tries.lock: copy the state out, unlock, then block
              } finally {
                lock.unlock();
              }
            } else {
              Thread.sleep(2);
            }
            Thread.sleep(3);
          }
          void guard() throws Exception {
            if (!lock.tryLock(1, TimeUnit.SECONDS)) { Thread.sleep(1); return; }
            Thread.sleep(2); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding Tries.lock: copy the state out, unlock, then block
            lock.unlock();
          }
          void spin() throws Exception {
            while (!lock.tryLock()) Thread.sleep(1);
            Thread.sleep(2); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding Tries.lock: copy the state out, unlock, then block
            lock.unlock();
          }
          void remembered(boolean wanted) throws Exception {
            boolean got = lock.tryLock();
            if (!got) { Thread.sleep(1); }
            if (got && wanted) {
              Thread.sleep(2); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding Tries.lock: copy the state out, unlock, then block
            }
            if (got) { lock.unlock(); }
            Thread.sleep(3);
          }
          void both(boolean wanted) throws Exception {
            if (wanted && lock.tryLock()) { lock.unlock(); } else { Thread.sleep(1); }
            if (!wanted || !lock.tryLock()) { Thread.sleep(2); return; }
            lock.unlock();
          }
        }
        """);
  }

  @Test
  void everyWayThroughTheCodeIsFollowed() {
    Planted.compileAndCompareWithMarks(
        """
        class Ways {
          final Lock lock = new ReentrantLock();
          void earlyUnlock(boolean closed) throws Exception {
            lock.lock();
            if (closed) { lock.unlock(); Thread.sleep(1); return; }
            Thread.sleep(2); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding Ways.lock: copy the state out, unlock, then block
            lock.unlock();
          }
          void perhaps(boolean some) throws Exception {
            if (some) { lock.lock(); }
            Thread.sleep(1); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding Ways.lock: copy the state out, unlock, then block
          }
          void aroundTheLoop(int rounds) throws Exception {
            for (int i = 0; i < rounds; i++) {
              Thread.sleep(1); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding Ways.lock: copy the state out, unlock, then block
              lock.lock();
            }
          }
          void eachRound(List<String> all) throws Exception {
            for (String one : all) {
              lock.lock();
              try {
                if (one.isEmpty()) continue;
                if (one.isBlank()) break;
              } finally { lock.unlock(); }
              Thread.sleep(1);
            }
            Thread.sleep(2);
          }
          void outOfTheLoop() throws Exception {
            while (true) { lock.lock(); break; }
            Thread.sleep(1); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding Ways.lock: copy the state out, unlock, then block
          }
          void labelled(List<String> all) throws Exception {
            outer:
            do {
              for (String one : all) { lock.lock(); if (one.isEmpty()) break outer; lock.unlock(); continue outer; }
              Thread.sleep(1);
            } while (all.isEmpty());
            Thread.sleep(2); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding Ways.lock: copy the state out, unlock, then block
          }
          void choice(int kind) throws Exception {
            switch (kind) {
              case 1: lock.lock();
              case 2:
                Thread.sleep(1); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding Ways.lock: copy the state out, unlock, then block
                lock.unlock();
                break;
              default: Thread.sleep(2);
            }
            Thread.sleep(3);
            int taken = switch (kind) { case 4 -> { lock.lock(); yield 4; } default -> 5; };
            Thread.sleep(taken); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding Ways.lock: copy the state out, unlock, then block
          }
          void thrown(Path path) throws Exception {
            try {
              lock.lock();
              path.toRealPath().getNameCount();
              lock.unlock();
            } catch (IOException e) {
              Thread.sleep(1); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding Ways.lock: copy the state out, unlock, then block
            }
          }
          void cleanedUp(Path path) throws Exception {
            try {
              lock.lockInterruptibly();
              try { path.toRealPath(); } finally { lock.unlock(); }
              synchronized (path) { path.toRealPath(); }
            } catch (InterruptedException | IOException e) {
              Thread.sleep(1);
            }
          }
          void reopened() throws Exception {
            lock.lock();
            try {
              lock.unlock();
              try { Thread.sleep(1); } finally { lock.lock(); }
              Thread.sleep(2); // ERROR [BlockingWhileLocked] Thread.sleep can block while holding Ways.lock: copy the state out, unlock, then block
            } finally { lock.unlock(); }
          }
        }
        """);
  }
}
