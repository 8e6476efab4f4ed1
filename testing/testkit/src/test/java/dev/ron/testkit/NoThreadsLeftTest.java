package dev.ron.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class NoThreadsLeftTest {
  @Test
  void virtualAndPlatformThreadsAreSeenByTheirPath() throws InterruptedException {
    var stop = new CountDownLatch(1);
    Runnable waiting =
        () -> {
          try {
            stop.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    Thread virtual = Thread.ofVirtual().name("leak/virtual-1").start(waiting);
    Thread platform = Thread.ofPlatform().name("leak/platform").start(waiting);
    assertThat(NoThreadsLeft.living()).contains("leak/virtual-1", "leak/platform");
    stop.countDown();
    virtual.join();
    platform.join();
    assertThat(NoThreadsLeft.living()).doesNotContain("leak/virtual-1", "leak/platform");
  }
}
