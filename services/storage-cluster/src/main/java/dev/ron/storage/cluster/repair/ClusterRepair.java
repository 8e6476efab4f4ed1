package dev.ron.storage.cluster.repair;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.content.DeleteResult;
import dev.ron.content.PutResult;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.cluster.coded.RebuiltShard;
import dev.ron.storage.cluster.coded.ShardFetch;
import dev.ron.storage.cluster.core.ClusterMap;
import dev.ron.storage.cluster.core.CodedObject;
import dev.ron.storage.cluster.core.CopyPromises;
import dev.ron.storage.cluster.core.NodeRepairPlan;
import dev.ron.storage.cluster.member.Members;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.cluster.node.CodedIndex;
import dev.ron.storage.cluster.node.LocalNode;
import dev.ron.storage.cluster.object.ClusterReader;
import dev.ron.storage.cluster.object.ClusterStore;
import dev.ron.storage.core.RepairPlan;
import dev.ron.storage.object.ObjectReaderStream;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Volume;
import dev.ron.storage.object.Volumes;
import dev.ron.storage.repair.DiskRepair;
import dev.ron.storage.repair.RepairOutcome;
import dev.ron.storage.repair.RepairTasks;
import dev.ron.storage.repair.RepairThrottle;
import dev.ron.storage.repair.RepairWorker;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Carries out plans between nodes, and those among its own disks: fetches what belongs here, gives
 * up what does not.
 *
 * <p>A copy is given up only while as many other nodes as there shall be copies have read theirs to
 * the end and promised to keep it; see {@link CopyPromises}. All nodes know these: while the lists
 * of nodes differ, one that does not could not find the object any more.
 *
 * <p>Threading: thread-safe; used by every repair worker.
 */
public final class ClusterRepair implements RepairWorker.Repair<NodeRepairPlan> {
  private final ClusterStore cluster;
  private final Members members;
  private final LocalNode local;
  private final DiskRepair disks;
  private final RepairThrottle pace;
  private final Time time;
  private final StorageMetrics metrics;

  public ClusterRepair(ClusterStore cluster, RepairTasks<NodeRepairPlan> upkeep, Time time) {
    this.cluster = cluster;
    this.members = cluster.members();
    this.local = cluster.local();
    this.disks = new DiskRepair(upkeep);
    this.pace = upkeep.pace();
    this.time = time;
    this.metrics = upkeep.metrics();
  }

  @Override
  public RepairOutcome carryOut(NodeRepairPlan plan) throws InterruptedException {
    try {
      return switch (plan) {
        case NodeRepairPlan.OnDisks(RepairPlan own) -> disks.carryOut(own);
        case NodeRepairPlan.Fetch fetch -> fetch(fetch);
        case NodeRepairPlan.Rebuild rebuild -> rebuild(rebuild);
        case NodeRepairPlan.GiveUp up -> giveUp(up);
        case NodeRepairPlan.GiveUpShards up -> giveUpShards(up);
      };
    } catch (ObjectReaderStream.LostException | ShardFetch.TooFewException lost) {
      return disks.lost(plan.address(), lost);
    } catch (IOException ended) {
      return RepairOutcome.DRAINING;
    }
  }

  private RepairOutcome fetch(NodeRepairPlan.Fetch plan) throws IOException, InterruptedException {
    Volumes own = local.volumes(ClusterNode.Kind.OBJECT);
    if (local.inventory().good(own, plan.address())) {
      return RepairOutcome.THERE;
    }
    Volume to = shelfFor(own, plan.address());
    if (to == null) {
      metrics.repairSkipped().labelValues("home").inc();
      return RepairOutcome.SKIPPED;
    }
    var stat = new ContentStat(plan.address(), plan.sizeBytes());
    List<ClusterNode> others = cluster.elsewhere(plan.address());
    String tenant = plan.rebalance() ? TenantTable.REBALANCE : TenantTable.REPAIR;
    RepairOutcome outcome =
        store(own, to, plan.address(), () -> paced(tenant, ClusterNode.Kind.OBJECT, stat, others));
    local.claims().reliedOn(plan.address());
    return outcome;
  }

  /** Little at a time, so as to give way soon, unless there are no readers to give way to. */
  private InputStream paced(
      String tenant, ClusterNode.Kind kind, ContentStat stat, List<ClusterNode> from) {
    int least = pace.readersIdle() ? ClusterReader.WINDOW_BYTES : RepairThrottle.STEP_BYTES;
    int window = ClusterReader.windowBytes(stat.sizeBytes(), least);
    var copy = new ObjectReaderStream(cluster.open(kind, stat, from, window));
    return pace.paced(tenant, copy, stat.sizeBytes(), window, 1);
  }

  /** Where the bad copy is, or where a new one belongs. */
  private static @Nullable Volume shelfFor(Volumes own, Address address) {
    for (String home : own.badHomes(address)) {
      Volume bad = own.find(home);
      if (bad != null && bad.home().takesWrites()) {
        return bad;
      }
    }
    return own.shelfFor(address).orElse(null);
  }

  private RepairOutcome store(Volumes own, Volume to, Address address, ObjectStore.Opening paced)
      throws IOException, InterruptedException {
    PutResult result;
    try (InputStream in = paced.open()) {
      result = to.put(address, in);
    }
    boolean bad = own.badHomes(address).contains(to.id());
    if (bad && result instanceof PutResult.Stored(_, _, boolean fresh) && !fresh) {
      // The store does not know that its copy is bad: it was found by hashing, not by its reader.
      if (to.store().delete(address) instanceof DeleteResult.Refused) {
        return RepairOutcome.HELD;
      }
      try (InputStream in = paced.open()) {
        result = to.put(address, in);
      }
    }
    return disks.stored(own.damage(), to, address, result);
  }

  private RepairOutcome giveUp(NodeRepairPlan.GiveUp plan)
      throws IOException, InterruptedException {
    ClusterMap view = members.plannedView();
    List<String> targets = view.targets(plan.address());
    if (targets.contains(local.name())) {
      return RepairOutcome.KEPT;
    }
    var stat = new ContentStat(plan.address(), plan.sizeBytes());
    var keepers = new ArrayList<ClusterNode>();
    for (String target : targets) {
      Optional<ClusterNode> keeper = members.find(target);
      if (keeper.isPresent() && sound(keeper.get(), stat)) {
        keepers.add(keeper.get());
      }
    }
    if (keepers.size() < view.replication()) {
      return RepairOutcome.KEPT;
    }
    return giveUp(ClusterNode.Kind.OBJECT, plan.address(), keepers, view.replication())
        ? RepairOutcome.GIVEN_UP
        : RepairOutcome.PROMISED;
  }

  /** Whether a node that should have the object has it; it is told of the object if it has not. */
  private boolean sound(ClusterNode node, ContentStat stat) throws InterruptedException {
    if (!node.here()) {
      return false;
    }
    try {
      if (node.have(ClusterNode.Kind.OBJECT, List.of(stat.address())).isEmpty()) {
        node.offer(stat.address(), stat.sizeBytes(), members.view().replication() > 1);
        return false;
      }
      return members.knownToAll(node) && node.sound(ClusterNode.Kind.OBJECT, stat);
    } catch (IOException _) {
      return false;
    }
  }

  /** Removes the copy here while enough others have promised theirs, which were just read. */
  private boolean giveUp(
      ClusterNode.Kind kind, Address address, List<ClusterNode> keepers, int enough)
      throws InterruptedException {
    if (!local.claims().beginGivingUp(address)) {
      return false;
    }
    try {
      Instant begun = time.now();
      int promised = 0;
      for (ClusterNode keeper : keepers) {
        promised += promises(keeper, kind, address) ? 1 : 0;
      }
      boolean inTime =
          Duration.between(begun, time.now()).compareTo(CopyPromises.LENGTH.dividedBy(2)) < 0;
      return promised >= enough && inTime && local.giveUp(kind, address);
    } finally {
      local.claims().endGivingUp(address);
    }
  }

  private static boolean promises(ClusterNode node, ClusterNode.Kind kind, Address address)
      throws InterruptedException {
    try {
      return !node.promise(kind, List.of(address)).isEmpty();
    } catch (IOException _) {
      return false;
    }
  }

  private RepairOutcome rebuild(NodeRepairPlan.Rebuild plan)
      throws IOException, InterruptedException {
    Optional<CodedObject> found = cluster.coded(plan.address());
    if (found.isEmpty()) {
      return RepairOutcome.GONE;
    }
    CodedObject object = found.get();
    Volumes own = local.volumes(ClusterNode.Kind.SHARD);
    Address shard = object.shards().get(plan.shard());
    if (local.inventory().good(own, shard)) {
      return RepairOutcome.THERE;
    }
    Optional<Volume> to = own.spreadShelf(plan.address(), plan.shard());
    if (to.isEmpty()) {
      metrics.repairSkipped().labelValues("home").inc();
      return RepairOutcome.SKIPPED;
    }
    RepairOutcome outcome = store(own, to.get(), shard, shard(object, plan.shard()));
    local.claims().reliedOn(shard);
    return outcome;
  }

  /** From a node that has it, where it does not belong; otherwise computed from the others. */
  private ObjectStore.Opening shard(CodedObject object, int shard) throws InterruptedException {
    var stat = new ContentStat(object.shards().get(shard), object.layout().shardBytes());
    List<ClusterNode> holders = cluster.holders(ClusterNode.Kind.SHARD, stat.address());
    if (!holders.isEmpty()) {
      // Whole, where it does not belong: it moves, and nothing was lost.
      return () -> paced(TenantTable.REBALANCE, ClusterNode.Kind.SHARD, stat, holders);
    }
    return () ->
        pace.paced(
            TenantTable.REPAIR,
            new RebuiltShard(cluster.shardFetchWithout(object, shard), shard),
            stat.sizeBytes(),
            RebuiltShard.PIECE_BYTES,
            object.layout().dataShards());
  }

  private RepairOutcome giveUpShards(NodeRepairPlan.GiveUpShards plan)
      throws IOException, InterruptedException {
    Optional<CodedIndex.Row> row = local.index().find(plan.address());
    if (row.isEmpty()) {
      return RepairOutcome.GONE;
    }
    ClusterMap view = members.plannedView();
    List<String> homes = view.shards(plan.address(), row.get().shards().size());
    var surplus = new ArrayList<Integer>();
    for (int i = 0; i < homes.size(); i++) {
      if (!homes.get(i).equals(local.name()) && holds(row.get().shards().get(i))) {
        surplus.add(i);
      }
    }
    boolean all = true;
    for (int shard : surplus) {
      Optional<ClusterNode> owner = members.find(homes.get(shard));
      all &= owner.isPresent() && giveUpShard(row.get().shards().get(shard), owner.get());
    }
    if (all && !homes.contains(local.name())) {
      local.giveUp(ClusterNode.Kind.SHARD, row.get().record());
      local.index().remove(plan.address());
    }
    return all ? RepairOutcome.GIVEN_UP : RepairOutcome.KEPT;
  }

  private boolean holds(Address shard) {
    return local.inventory().good(local.volumes(ClusterNode.Kind.SHARD), shard);
  }

  private boolean giveUpShard(Address shard, ClusterNode owner) throws InterruptedException {
    long size =
        local.volumes(ClusterNode.Kind.SHARD).stat(shard).map(ContentStat::sizeBytes).orElse(0L);
    try {
      return owner.here()
          && members.knownToAll(owner)
          && owner.sound(ClusterNode.Kind.SHARD, new ContentStat(shard, size))
          && giveUp(ClusterNode.Kind.SHARD, shard, List.of(owner), 1);
    } catch (IOException _) {
      return false;
    }
  }
}
