package dev.ron.storage.repair;

import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageEvent;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.core.QueuedRepair;
import dev.ron.storage.object.Volumes;
import java.time.Duration;
import java.time.Instant;

/**
 * Carries plans out, one at a time, within the budget that all workers share.
 *
 * <p>Threading: one step at a time.
 */
public final class RepairWorker<P extends QueuedRepair> implements Task {
  private final RepairQueue<P> queue;
  private final Repair<P> repair;
  private final Volumes volumes;
  private final RepairThrottle pace;
  private final Time time;
  private final StorageMetrics metrics;

  /** How plans of a kind are carried out. */
  public interface Repair<P> {
    RepairOutcome carryOut(P plan) throws InterruptedException;
  }

  RepairWorker(RepairTasks<P> upkeep, Repair<P> repair, Time time) {
    this.queue = upkeep.queue();
    this.repair = repair;
    this.volumes = upkeep.volumes();
    this.pace = upkeep.pace();
    this.time = time;
    this.metrics = upkeep.metrics();
  }

  @Override
  public Next run(Instant now) throws InterruptedException {
    P plan = queue.next();
    if (plan == null) {
      return queue.await(now);
    }
    var outcome = RepairOutcome.FAILED;
    try {
      outcome = pace.ending() ? RepairOutcome.DRAINING : repair.carryOut(plan);
    } finally {
      queue.done(plan);
      metrics.repairs().labelValues(outcome.label()).inc();
      metrics.repairSeconds().inc(Duration.between(now, time.now()).toNanos() / 1e9);
    }
    if (outcome == RepairOutcome.REPAIRED
        && volumes.badHomes(plan.address()).contains(plan.home())) {
      // Found bad again before this plan was out of the queue, where a second one has no place.
      volumes
          .damage()
          .events()
          .publish(new StorageEvent.Damaged(plan.address(), plan.home(), "again"));
    }
    return Next.again();
  }
}
