package dev.ron.storage.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.AmnesiaStore;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Tree;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.core.RepairPlan;
import dev.ron.storage.object.DamageTracker;
import dev.ron.storage.object.Volume;
import dev.ron.storage.object.Volumes;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of the service, as workers in the middle of a copy hear of it. */
@Timeout(120)
final class RepairTasksTest {
  private final Scope scope = Scope.of("storage", World.real(Log.silent()));

  @Test
  void theyHearOfItAlsoWhereThePlannerFails() throws Exception {
    var metrics = StorageMetrics.in(scope);
    var book = new DamageTracker(Broadcast.of(scope, "events", 16), metrics);
    var store = new AmnesiaStore(1 << 20, 100, 1000);
    var volumes =
        new Volumes(List.of(new Volume("one", "one", store, Optional::empty)), 1, 1, book);
    Watch<Boolean> shutdown = Watch.of(scope, "shutdown", false);
    var upkeep =
        new RepairTasks<RepairPlan>(
            volumes,
            new RepairThrottle(scope.time(), 1 << 20, shutdown, metrics),
            new RepairQueue<>(scope, 256),
            shutdown,
            scope.time(),
            metrics);
    Tree tree =
        Supervisor.named("storage")
            .child(
                "planner",
                Restart.ALWAYS,
                () -> {
                  throw new IllegalStateException("a planner that cannot be made");
                })
            .child("shutdown", Restart.ALWAYS, upkeep::shutdown)
            .start(scope);
    assertThat(upkeep.pace().ending()).isFalse();
    tree.drain();
    assertThat(upkeep.pace().ending()).isTrue();
  }
}
