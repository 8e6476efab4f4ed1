package dev.ron.storage.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.MemoryStore;
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
import dev.ron.storage.disk.Shelf;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of the service, as workers in the middle of a copy hear of it. */
@Timeout(120)
final class UpkeepTest {
  private final Scope scope = Scope.of("storage", World.real(Log.silent()));

  @Test
  void theyHearOfItAlsoWhereThePlannerFails() throws Exception {
    var metrics = StorageMetrics.in(scope);
    var book = new DamageBook(Broadcast.of(scope, "events", 16), metrics);
    var store = new MemoryStore(1 << 20, 100, 1000);
    var shelves = new Shelves(List.of(new Shelf("one", "one", store, Optional::empty)), 1, 1, book);
    Watch<Boolean> shutdown = Watch.of(scope, "shutdown", false);
    var upkeep =
        new Upkeep<RepairPlan>(
            shelves,
            new Pace(scope.time(), 1 << 20, shutdown, metrics),
            new RepairQueue<>(scope),
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
