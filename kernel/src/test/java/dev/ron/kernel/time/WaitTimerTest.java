package dev.ron.kernel.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WaitTimerTest {
  private static final Duration LONG = Duration.ofNanos(4 * WaitTimer.LEAST_NANOS);

  private final SystemTime time = new SystemTime();

  private boolean alone(Instant until) throws InterruptedException {
    var lock = new ReentrantLock();
    lock.lock();
    try {
      return time.awaitAlone(lock, lock.newCondition(), until);
    } finally {
      lock.unlock();
    }
  }

  @Test
  void aWaitEndsAtItsLimitAndNotBefore() throws InterruptedException {
    for (Duration wait : List.of(LONG, Duration.ofMillis(1), LONG.dividedBy(2))) {
      Instant until = time.now().plus(wait);
      boolean early = true;
      while (early) {
        early = alone(until);
      }
      assertThat(time.now()).isAfterOrEqualTo(until);
    }
  }

  @Test
  void aWaitForThePastDoesNotWait() throws InterruptedException {
    assertThat(alone(Instant.EPOCH)).isFalse();
  }

  @Test
  void aWaitThatIsPutDownWhileTheTimerSleepsForAnotherIsEndedInTime() throws Exception {
    var far = new Gate(time);
    var waits = waiting(() -> far.await(Deadline.in(Duration.ofSeconds(50), time)));
    assertThat(alone(time.now().plus(LONG))).isFalse(); // by now it sleeps for the far one
    assertThat(alone(time.now().plus(LONG))).isFalse();
    far.open();
    waits.join();
  }

  @Test
  void ofManyWaitsEachIsOpenedOrEndsByItself() throws Exception {
    var opened = new AtomicInteger();
    var late = new AtomicInteger();
    List<Gate> gates = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      var gate = new Gate(time);
      Duration wait = LONG.plusMillis(ThreadLocalRandom.current().nextInt(100));
      gates.add(gate);
      threads.add(
          waiting(
              () -> {
                boolean open = gate.await(Deadline.in(wait, time));
                (open ? opened : late).incrementAndGet();
              }));
    }
    for (int i = 0; i < gates.size(); i += 2) {
      gates.get(i).open();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(opened.get()).isBetween(1500 - late.get(), 1500);
    assertThat(opened.get() + late.get()).isEqualTo(3000);
    assertThat(late.get()).isGreaterThanOrEqualTo(1500);
  }

  @Test
  void ofManyWaitsForOneGateTheEndOfOneWakesNoOther() throws Exception {
    var gate = new Gate(time);
    var ended = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Duration wait = i % 2 == 0 ? LONG : Duration.ofSeconds(50);
      threads.add(
          waiting(
              () -> {
                if (!gate.await(Deadline.in(wait, time))) {
                  ended.incrementAndGet();
                }
              }));
    }
    for (int i = 0; i < threads.size(); i += 2) {
      threads.get(i).join();
    }
    assertThat(ended).hasValue(250);
    gate.open();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(ended).hasValue(250);
  }

  @Test
  @SuppressWarnings("BlockingWhileLocked") // the timer is to find it held
  void aWaitWhoseLockIsHeldAtItsLimitIsEndedWhenTheLockIsFree() throws Exception {
    var lock = new ReentrantLock();
    var condition = lock.newCondition();
    Instant until = time.now().plus(LONG);
    Thread waits =
        waiting(
            () -> {
              lock.lock();
              try {
                while (time.awaitAlone(lock, condition, until)) {
                  // woken early
                }
              } finally {
                lock.unlock();
              }
            });
    lock.lock();
    try {
      time.sleepUntil(until.plusMillis(30));
    } finally {
      lock.unlock();
    }
    waits.join();
    assertThat(time.now()).isAfterOrEqualTo(until);
  }

  /** As where the memory runs out for a moment: all waits of a process hang on the one thread. */
  @Test
  void aFailureOfTheTimerEndsNoneOfItsWaits() throws Exception {
    var failures = new AtomicInteger();
    var lock =
        new ReentrantLock() {
          @Override
          public boolean tryLock() {
            if (failures.getAndIncrement() == 0) {
              throw new OutOfMemoryError("for a moment");
            }
            return super.tryLock();
          }
        };
    lock.lock();
    try {
      Instant until = time.now().plus(LONG);
      while (time.awaitAlone(lock, lock.newCondition(), until)) {
        // woken early
      }
    } finally {
      lock.unlock();
    }
    assertThat(failures.get()).isGreaterThan(1);
    assertThat(alone(time.now().plus(LONG))).isFalse();
  }

  @Test
  void aWaitCanBeInterrupted() throws Exception {
    var interrupted = new AtomicInteger();
    Thread waits =
        waiting(
            () -> {
              try {
                alone(time.now().plusSeconds(50));
              } catch (InterruptedException expected) {
                interrupted.incrementAndGet();
              }
            });
    waits.interrupt();
    waits.join();
    assertThat(interrupted).hasValue(1);
  }

  /** What may be interrupted. */
  private interface Body {
    void run() throws InterruptedException;
  }

  private static Thread waiting(Body body) {
    return Thread.ofVirtual()
        .start(
            () -> {
              try {
                body.run();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
  }
}
