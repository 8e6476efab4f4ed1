package dev.ron.storage.repair;

import dev.ron.blake3.Address;
import dev.ron.content.ContentFault;
import dev.ron.content.DeleteResult;
import dev.ron.content.PutResult;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.storage.StorageEvent;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.core.Placement;
import dev.ron.storage.core.RepairPlan;
import dev.ron.storage.core.VolumeState;
import dev.ron.storage.object.DamageTracker;
import dev.ron.storage.object.FallbackReader;
import dev.ron.storage.object.ObjectReaderStream;
import dev.ron.storage.object.Volume;
import dev.ron.storage.object.Volumes;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;

/**
 * Carries out plans among the disks of this node.
 *
 * <p>A copy is made through the same verified read that serves clients and is hashed again by the
 * store that takes it, so a repair never spreads damage. While a copy is made the object is pinned:
 * a delete that comes meanwhile is refused rather than undone.
 *
 * <p>Threading: thread-safe; used by every repair worker.
 */
public final class DiskRepair implements RepairWorker.Repair<RepairPlan> {
  private final Volumes volumes;
  private final RepairThrottle pace;
  private final StorageMetrics metrics;

  public DiskRepair(RepairTasks<?> upkeep) {
    this.volumes = upkeep.volumes();
    this.pace = upkeep.pace();
    this.metrics = upkeep.metrics();
  }

  @Override
  public RepairOutcome carryOut(RepairPlan plan) throws InterruptedException {
    Volume to = volumes.find(plan.home());
    if (to == null || !to.home().takesWrites()) {
      metrics.repairSkipped().labelValues("home").inc();
      return RepairOutcome.SKIPPED;
    }
    return plan instanceof RepairPlan.Drop ? drop(plan, to) : copy(plan, to);
  }

  private RepairOutcome copy(RepairPlan plan, Volume to) throws InterruptedException {
    List<Volume> pinned =
        volumes.all().stream().filter(volume -> volume.store().pin(plan.address())).toList();
    if (pinned.isEmpty()) {
      return RepairOutcome.GONE; // deleted since it was planned
    }
    try {
      return store(plan, to);
    } catch (ObjectReaderStream.LostException lost) {
      return lost(plan.address(), lost);
    } catch (IOException ended) {
      return RepairOutcome.DRAINING;
    } finally {
      pinned.forEach(volume -> volume.store().unpin(plan.address()));
    }
  }

  private RepairOutcome store(RepairPlan plan, Volume to) throws IOException, InterruptedException {
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
        return RepairOutcome.HELD;
      }
    }
    return stored(volumes.damage(), to, plan.address(), result);
  }

  /** Counts and tells what came of a new copy or shard. */
  public RepairOutcome stored(DamageTracker damage, Volume to, Address address, PutResult result) {
    return switch (result) {
      case PutResult.Stored stored -> {
        metrics.repairBytes().inc(stored.sizeBytes());
        damage.healed(address, to.id());
        damage.events().publish(new StorageEvent.Repaired(address, to.id()));
        yield RepairOutcome.REPAIRED;
      }
      case PutResult.Refused(ContentFault fault) -> {
        metrics.repairSkipped().labelValues(fault.code()).inc();
        yield RepairOutcome.REFUSED;
      }
    };
  }

  /** Counts and tells that there is nothing to repair from. */
  public RepairOutcome lost(Address address, IOException why) {
    String words = String.valueOf(why.getMessage());
    volumes.damage().events().publish(new StorageEvent.Unrepairable(address, words));
    metrics.repairSkipped().labelValues("no-source").inc();
    return RepairOutcome.UNREPAIRABLE;
  }

  private PutResult put(RepairPlan plan, Volume to) throws IOException, InterruptedException {
    try (InputStream from = paced(plan)) {
      return to.put(plan.address(), from);
    }
  }

  private InputStream paced(RepairPlan plan) {
    boolean rebalance = plan instanceof RepairPlan.Copy copy && copy.rebalance();
    return pace.paced(
        rebalance ? TenantTable.REBALANCE : TenantTable.REPAIR,
        new ObjectReaderStream(new FallbackReader(volumes, plan.address())),
        plan.sizeBytes());
  }

  /** Removes a copy only after every copy that shall stay has been read to its end. */
  private RepairOutcome drop(RepairPlan plan, Volume from) throws InterruptedException {
    List<VolumeState> order = Placement.order(plan.address(), volumes.homes());
    Set<String> bad = volumes.badHomes(plan.address());
    int sound = 0;
    for (VolumeState home : order) {
      Volume volume = volumes.find(home.id());
      if (volume == null || volume == from || bad.contains(home.id())) {
        continue;
      }
      Scrub.Verdict verdict = Scrub.whole(volume, plan.address(), pace);
      if (verdict instanceof Scrub.Verdict.Bad(String reason)) {
        volumes.damage().found(plan.address(), volume, reason);
      }
      sound += verdict instanceof Scrub.Verdict.Good ? 1 : 0;
      if (sound == volumes.replication()) {
        return from.store().delete(plan.address()) instanceof DeleteResult.Deleted
            ? RepairOutcome.DROPPED
            : RepairOutcome.REFUSED;
      }
    }
    return RepairOutcome.KEPT;
  }
}
