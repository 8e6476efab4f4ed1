package dev.ron.storage.repair;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.core.QueuedRepair;
import dev.ron.storage.core.RepairPlan;
import dev.ron.storage.object.Volumes;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Everything that keeps copies good: the budget, the queue, the workers, the scrubber, the planner.
 *
 * <p>The workers stand above the planner, which sends to them, and the shutdown below, so that they
 * hear of the end before they are to end.
 *
 * <p>Threading: thread-safe; what the tasks found last is in references that they alone set.
 *
 * @param <P> the plans in the queue
 */
public final class RepairTasks<P extends QueuedRepair> {
  private final Volumes volumes;
  private final StorageMetrics metrics;
  private final Time time;
  private final Watch<Boolean> shutdown;
  private final RepairThrottle pace;
  private final RepairQueue<P> queue;
  private final AtomicReference<RepairPlanner.Round> round =
      new AtomicReference<>(RepairPlanner.Round.NONE);
  private final AtomicReference<Scrubber.Progress> scrub =
      new AtomicReference<>(Scrubber.Progress.NONE);

  /**
   * @param shutdown turns true when the service ends
   */
  public RepairTasks(
      Volumes volumes,
      RepairThrottle pace,
      RepairQueue<P> queue,
      Watch<Boolean> shutdown,
      Time time,
      StorageMetrics metrics) {
    this.volumes = volumes;
    this.pace = pace;
    this.queue = queue;
    this.shutdown = shutdown;
    this.time = time;
    this.metrics = metrics;
  }

  public Task worker(RepairWorker.Repair<P> repair) {
    return new RepairWorker<>(this, repair, time);
  }

  public Task scrubber(Duration period) {
    return new Scrubber(volumes, pace, period, metrics, scrub);
  }

  /**
   * @param plans takes what is to be done on the disks of this node
   * @param alone whether the copies on this node are all there are
   */
  public Task planner(
      Duration period, Function<RepairPlan, RepairQueue.Offer> plans, boolean alone) {
    return new RepairPlanner(volumes, plans, pace, period, metrics, round, alone);
  }

  /** Tells workers that the service ends, while they are in the middle of a copy. */
  public Task shutdown() {
    return new Shutdown(shutdown);
  }

  public Volumes volumes() {
    return volumes;
  }

  public RepairThrottle pace() {
    return pace;
  }

  public RepairQueue<P> queue() {
    return queue;
  }

  public StorageMetrics metrics() {
    return metrics;
  }

  /** What the last round of the planner found. */
  public RepairPlanner.Round round() {
    return round.get();
  }

  public Scrubber.Progress scrubbed() {
    return scrub.get();
  }

  /**
   * It does nothing else: were it a part of the planner, one that failed would leave the workers to
   * copy on.
   */
  private record Shutdown(Watch<Boolean> watch) implements Task {
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
