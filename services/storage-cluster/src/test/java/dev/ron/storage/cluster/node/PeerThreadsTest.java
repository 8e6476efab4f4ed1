package dev.ron.storage.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.testkit.SeedRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PeerThreadsTest {
  private final Scope scope = Scope.of("storage", World.real(Log.silent()));
  private final PeerThreads threads = PeerThreads.in(scope);

  @Test
  @SeedRow("S11")
  void everyThreadIsCountedInterruptedAndAwaited() throws Exception {
    var release = new Gate(scope.time());
    Thread hears = threads.scope().world().threads().start("storage/ask", () -> wait(release, 1));
    Thread deaf = threads.start("storage/write", () -> wait(release, 2));
    threads.finish(scope.time().now());
    assertThat(hears.isAlive()).isFalse();
    assertThat(deaf.isAlive()).isTrue();
    assertThat(scope.metrics().text())
        .contains(
            "tasks_spawned_total{kind=\"ask\"} 1.0",
            "tasks_spawned_total{kind=\"write\"} 1.0",
            "tasks_aborted_total{kind=\"write\"} 1.0")
        .doesNotContain("tasks_aborted_total{kind=\"ask\"}");
    release.open();
    deaf.join();
    threads.finish(scope.time().now());
    assertThat(scope.metrics().text()).contains("tasks_aborted_total{kind=\"write\"} 1.0");
  }

  /** Ends at the interrupt of that number, or when it is let go. */
  private static void wait(Gate release, int interrupts) {
    for (int i = 0; i < interrupts; i++) {
      try {
        release.await(Deadline.NEVER);
        return;
      } catch (InterruptedException _) {
        // counted by the loop
      }
    }
  }
}
