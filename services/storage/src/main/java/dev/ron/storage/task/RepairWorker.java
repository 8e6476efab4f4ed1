package dev.ron.storage.task;

import dev.ron.content.ContentFault;
import dev.ron.content.DeleteResult;
import dev.ron.content.PutResult;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.core.Home;
import dev.ron.storage.core.Placement;
import dev.ron.storage.core.RepairPlan;
import dev.ron.storage.disk.Shelf;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries plans out, one at a time, within the budget that all workers share.
 *
 * <p>A copy is made through the same verified read that serves clients and is hashed again by the
 * store that takes it, so a repair never spreads damage. While a copy is made the object is pinned:
 * a delete that comes meanwhile is refused rather than undone.
 *
 * <p>Threading: one step at a time.
 */
public final class RepairWorker implements Task {
  private final RepairQueue queue;
  private final Shelves shelves;
  private final Pace pace;
  private final Time time;
  private final StorageMetrics metrics;
  private final Supplier<@Nullable Courier> courier;

  /**
   * @param courier for plans between nodes; null where there is one
   */
  public RepairWorker(
      RepairQueue queue,
      Shelves shelves,
      Pace pace,
      Time time,
      StorageMetrics metrics,
      Supplier<@Nullable Courier> courier) {
    this.courier = courier;
    this.queue = queue;
    this.shelves = shelves;
    this.pace = pace;
    this.time = time;
    this.metrics = metrics;
  }

  @Override
  public Next run(Instant now) throws InterruptedException {
    RepairPlan plan = queue.next();
    if (plan == null) {
      return queue.await(now);
    }
    String outcome = "failed";
    try {
      outcome = pace.ending() ? "draining" : carryOut(plan);
    } finally {
      queue.done(plan);
      metrics.repairs().labelValues(outcome).inc();
      metrics.repairSeconds().inc(Duration.between(now, time.now()).toNanos() / 1e9);
    }
    if (outcome.equals("repaired") && shelves.badHomes(plan.address()).contains(plan.home())) {
      // Found bad again before this plan was out of the queue, where a second one has no place.
      shelves
          .damage()
          .events()
          .publish(new StorageEvent.Damaged(plan.address(), plan.home(), "again"));
    }
    return Next.again();
  }

  private String carryOut(RepairPlan plan) throws InterruptedException {
    return switch (plan) {
      case RepairPlan.Copy _, RepairPlan.Heal _, RepairPlan.Drop _ -> onShelf(plan);
      case RepairPlan.Fetch _,
          RepairPlan.Rebuild _,
          RepairPlan.GiveUp _,
          RepairPlan.GiveUpShards _ -> {
        Courier between = courier.get();
        yield between == null ? "skipped" : between.carryOut(plan);
      }
    };
  }

  private String onShelf(RepairPlan plan) throws InterruptedException {
    Shelf to = shelves.find(plan.home());
    if (to == null || !to.home().takesWrites()) {
      metrics.repairSkipped().labelValues("home").inc();
      return "skipped";
    }
    return plan instanceof RepairPlan.Drop ? drop(plan, to) : copy(plan, to);
  }

  private String copy(RepairPlan plan, Shelf to) throws InterruptedException {
    List<Shelf> pinned =
        shelves.all().stream().filter(shelf -> shelf.store().pin(plan.address())).toList();
    if (pinned.isEmpty()) {
      return "gone"; // deleted since it was planned
    }
    try {
      return store(plan, to);
    } catch (TransferStream.LostException lost) {
      shelves
          .damage()
          .events()
          .publish(
              new StorageEvent.Unrepairable(plan.address(), String.valueOf(lost.getMessage())));
      metrics.repairSkipped().labelValues("no-source").inc();
      return "unrepairable";
    } catch (IOException ended) {
      return "draining";
    } finally {
      pinned.forEach(shelf -> shelf.store().unpin(plan.address()));
    }
  }

  private String store(RepairPlan plan, Shelf to) throws IOException, InterruptedException {
    PutResult result = put(plan, to);
    if (result instanceof PutResult.Stored(_, _, boolean fresh)
        && !fresh
        && plan instanceof RepairPlan.Heal) {
      // The store does not know that its copy is bad: it was found by hashing, not by its reader.
      to.store().unpin(plan.address());
      DeleteResult deleted = to.store().delete(plan.address());
      result = put(plan, to);
      to.store().pin(plan.address());
      if (deleted instanceof DeleteResult.Refused) {
        return "held";
      }
    }
    return switch (result) {
      case PutResult.Stored stored -> {
        metrics.repairBytes().inc(stored.sizeBytes());
        shelves.damage().healed(plan.address(), to.id());
        shelves.damage().events().publish(new StorageEvent.Repaired(plan.address(), to.id()));
        yield "repaired";
      }
      case PutResult.Refused(ContentFault fault) -> {
        metrics.repairSkipped().labelValues(fault.code()).inc();
        yield "refused";
      }
    };
  }

  private PutResult put(RepairPlan plan, Shelf to) throws IOException, InterruptedException {
    try (InputStream from = paced(plan)) {
      return to.put(plan.address(), from);
    }
  }

  private InputStream paced(RepairPlan plan) {
    return pace.paced(new TransferStream(new Transfer(shelves, plan.address())), plan.sizeBytes());
  }

  /** Removes a copy only after every copy that shall stay has been read to its end. */
  private String drop(RepairPlan plan, Shelf from) throws InterruptedException {
    List<Home> order = Placement.order(plan.address(), shelves.homes());
    Set<String> bad = shelves.badHomes(plan.address());
    int sound = 0;
    for (Home home : order) {
      Shelf shelf = shelves.find(home.id());
      if (shelf == null || shelf == from || bad.contains(home.id())) {
        continue;
      }
      Scrub.Verdict verdict = Scrub.whole(shelf, plan.address(), pace);
      if (verdict instanceof Scrub.Verdict.Bad(String reason)) {
        shelves.damage().found(plan.address(), shelf, reason);
      }
      sound += verdict instanceof Scrub.Verdict.Good ? 1 : 0;
      if (sound == shelves.replication()) {
        return from.store().delete(plan.address()) instanceof DeleteResult.Deleted
            ? "dropped"
            : "refused";
      }
    }
    return "kept";
  }
}
