package dev.ron.storage.task;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.StorageMetrics;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Everything that keeps copies good: the budget, the queue, the workers, the scrubber, the planner.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public record Upkeep(
    Shelves shelves,
    Pace pace,
    RepairQueue queue,
    AtomicReference<RepairPlanner.Round> round,
    AtomicReference<Scrubber.Progress> scrub,
    Watch<Boolean> shutdown,
    AtomicReference<@Nullable Courier> courier,
    StorageMetrics metrics) {
  public static Upkeep of(
      Scope scope, Shelves shelves, long bytesPerSecond, StorageMetrics metrics) {
    Watch<Boolean> shutdown = Watch.of(scope, "shutdown", false);
    return new Upkeep(
        shelves,
        new Pace(scope.time(), bytesPerSecond, shutdown, metrics),
        new RepairQueue(scope),
        new AtomicReference<>(RepairPlanner.Round.NONE),
        new AtomicReference<>(Scrubber.Progress.NONE),
        shutdown,
        new AtomicReference<>(),
        metrics);
  }

  /** The workers above the planner, which sends to them. */
  public Supervisor into(
      Supervisor tree, Scope scope, StorageConfig.Durability durability, boolean alone) {
    return ending(
        tree.children(
                "repair",
                durability.repairWorkers(),
                Restart.ALWAYS,
                () -> new RepairWorker(queue, shelves, pace, scope.time(), metrics, courier::get))
            .child(
                "scrub",
                Restart.ALWAYS,
                () -> new Scrubber(shelves, pace, durability.scrubPeriod(), metrics, scrub))
            .child(
                "planner",
                Restart.ALWAYS,
                () ->
                    new RepairPlanner(
                        shelves, queue, pace, durability.planPeriod(), metrics, round, alone)));
  }

  /** Below the workers, so that they hear of the end before they are to end. */
  Supervisor ending(Supervisor workers) {
    return workers.child("shutdown", Restart.ALWAYS, () -> new Shutdown(shutdown));
  }

  /**
   * Tells workers that the service ends, while they are in the middle of a copy.
   *
   * <p>It does nothing else: were it a part of the planner, one that failed would leave the workers
   * to copy on.
   */
  record Shutdown(Watch<Boolean> watch) implements Task {
    @Override
    public Next run(Instant now) {
      return Next.at(Instant.MAX);
    }

    @Override
    public void finish(Instant now) {
      watch.set(true);
    }
  }
}
