package dev.ron.kernel.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who keeps a core busy has a thread that the operating system shares out. */
@Timeout(20)
class ComputingTest {
  @Test
  void aPoolThatComputesIsNotOnTheCarriersOfOthers() throws Exception {
    var scope = Scope.of("test", World.real(Log.silent()));
    Map<String, Boolean> virtual = new ConcurrentHashMap<>();
    var seen = new CountDownLatch(3);
    Task looking =
        _ -> {
          virtual.put(Thread.currentThread().getName(), Thread.currentThread().isVirtual());
          seen.countDown();
          return Next.at(java.time.Instant.MAX);
        };
    Tree tree =
        Supervisor.named("test")
            .child("waiter", Restart.ALWAYS, () -> looking)
            .computing("worker", 2, Restart.ALWAYS, () -> looking)
            .start(scope);
    assertThat(seen.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(tree.drain().tasksDrained()).isEqualTo(3);
    assertThat(virtual)
        .isEqualTo(Map.of("test/waiter", true, "test/worker-0", false, "test/worker-1", false));
  }
}
