package dev.ron.testkit;

import static dev.ron.kernel.channel.Overflow.AWAIT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A pool on real threads under real load; its exact times are in the virtual-time tests. */
@Timeout(60)
@ExtendWith(NoThreadsLeft.class)
class PoolChaosTest {
  private static final int POISON = -1;

  private final Scope scope = Scope.of("chaos", World.real(Log.silent()));
  private final Channel<Integer> work = Channel.bounded(scope, "work", 512, AWAIT);
  private final LongAdder handled = new LongAdder();

  @Test
  void killingHalfOfThePoolUnderLoadLosesOnlyThePoisonAndReadinessRecovers() throws Exception {
    Tree tree =
        Supervisor.named("chaos")
            .children("worker", 8, Restart.ALWAYS, () -> mortal())
            .start(scope);
    var sent = new LongAdder();
    var loaded = new Gate(scope.time());
    for (int producer = 0; producer < 4; producer++) {
      scope
          .world()
          .threads()
          .start("chaos/producer-" + producer, () -> produce(20_000, sent, loaded));
    }
    loaded.await(Deadline.NEVER);
    for (int victim = 0; victim < 4; victim++) {
      work.send(POISON, Deadline.NEVER);
    }
    Instant degraded = awaitReadiness(false);
    Instant recovered = awaitReadiness(true);
    System.out.printf(
        "readiness: degraded, and ready again %d ms later%n",
        Duration.between(degraded, recovered).toMillis());
    while (handled.sum() < 80_000) {
      Thread.onSpinWait();
    }
    assertThat(scope.counters().serviceRestarts().labelValues("worker").get()).isEqualTo(4);
    assertThat(scope.counters().tasksSpawned().labelValues("worker").get()).isEqualTo(12);
    assertThat(tree.drain()).isEqualTo(DrainReport.tasks(8, 0));
    assertThat(handled.sum()).isEqualTo(sent.sum()).isEqualTo(80_000);
  }

  /** Waits end within 100 ms of their deadline on a machine whose cores are all busy. */
  @Test
  @Tag("long")
  void deadlinesHoldOnALoadedMachine() throws Exception {
    var stop = new Gate(scope.time());
    for (int core = 0; core < 2 * Runtime.getRuntime().availableProcessors(); core++) {
      dev.ron.kernel.supervise.Threads.platform()
          .start(
              "chaos/burner-" + core,
              () -> {
                while (!stop.isOpen()) {
                  Thread.onSpinWait();
                }
              });
    }
    Duration worst = Duration.ZERO;
    for (int i = 0; i < 100; i++) {
      Deadline deadline = Deadline.in(Duration.ofMillis(20), scope.time());
      work.receive(deadline);
      Duration late = Duration.between(deadline.at(), scope.time().now());
      worst = late.compareTo(worst) > 0 ? late : worst;
    }
    stop.open();
    System.out.printf("worst of 100 deadlines: %d us late%n", worst.toNanos() / 1000);
    assertThat(worst).isBetween(Duration.ZERO, Duration.ofMillis(100));
  }

  private Instant awaitReadiness(boolean wanted) {
    while (scope.readiness().ready() != wanted) {
      Thread.onSpinWait();
    }
    return scope.time().now();
  }

  private void produce(int count, LongAdder sent, Gate loaded) {
    try {
      for (int i = 0; i < count; i++) {
        work.send(i, Deadline.NEVER);
        sent.increment();
        if (i == count / 4) {
          loaded.open();
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private Task mortal() {
    return _ -> {
      Integer item = work.tryReceive();
      if (item == null) {
        return Next.await(work);
      }
      if (item == POISON) {
        throw new IllegalStateException("planted");
      }
      handled.increment();
      return Next.again();
    };
  }
}
