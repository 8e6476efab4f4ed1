package dev.ron.kernel.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class SystemTimeTest {
  private final SystemTime time = new SystemTime();

  @Test
  void nowNeverStepsBack() {
    Instant last = time.now();
    for (int i = 0; i < 100_000; i++) {
      Instant now = time.now();
      assertThat(now).isAfterOrEqualTo(last);
      last = now;
    }
  }

  @Test
  void aWaitForThePastDoesNotWait() throws InterruptedException {
    var lock = new ReentrantLock();
    lock.lock();
    try {
      assertThat(time.await(lock, lock.newCondition(), Instant.EPOCH)).isFalse();
    } finally {
      lock.unlock();
    }
    time.sleepUntil(Instant.EPOCH);
  }
}
