package dev.ron.storage.cluster.repair;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.StorageEvent;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.cluster.core.ClusterMap;
import dev.ron.storage.cluster.core.ClusterPlan;
import dev.ron.storage.cluster.core.CodedObject;
import dev.ron.storage.cluster.core.InventoryDiff;
import dev.ron.storage.cluster.core.NodeRepairPlan;
import dev.ron.storage.cluster.core.RangeDigests;
import dev.ron.storage.cluster.member.Members;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.cluster.node.CodedIndex;
import dev.ron.storage.cluster.node.LocalInventory;
import dev.ron.storage.cluster.node.LocalNode;
import dev.ron.storage.cluster.node.PeerNode;
import dev.ron.storage.cluster.object.ClusterStore;
import dev.ron.storage.core.Inventory;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Volumes;
import dev.ron.storage.repair.RepairTasks;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Compares what this node has with what the others have that belongs here, on a period and when
 * something happened.
 *
 * <p>Whole copies are planned before shards. A plan that finds the queue full is counted and found
 * again by the next round; urgent ones wait for room, as many as one comparison finds, and the next
 * round waits for them.
 *
 * <p>Threading: one step at a time; any thread reads the last round.
 */
public final class ClusterPlanner implements Task {
  /**
   * Found in one comparison; more are found by the next, which begins as soon as these are done.
   */
  private static final int MISSING_MAX = 4096;

  private static final Duration FULL_REST = Duration.ofMillis(100);

  private final ClusterStore cluster;
  private final Members members;
  private final LocalNode local;
  private final Duration period;
  private final StorageMetrics metrics;
  private final AtomicReference<Round> last;
  private final Broadcast<StorageEvent>.Subscription events;
  private final RepairBacklog backlog;
  private Instant nextRound = Instant.MIN;

  /**
   * What a round found.
   *
   * @param missing copies and shards that belong here and are not
   * @param surplus copies and shards that are here and belong elsewhere
   * @param away nodes that did not answer
   */
  public record Round(
      long number, long missing, long urgent, long surplus, long skipped, List<String> away) {
    public static final Round NONE = new Round(0, 0, 0, 0, 0, List.of());

    public Round {
      away = List.copyOf(away);
    }
  }

  public ClusterPlanner(
      ClusterStore cluster,
      RepairTasks<NodeRepairPlan> upkeep,
      Duration period,
      AtomicReference<Round> last) {
    this.cluster = cluster;
    this.members = cluster.members();
    this.local = cluster.local();
    this.backlog = new RepairBacklog(upkeep.queue(), upkeep.metrics(), MISSING_MAX);
    this.period = period;
    this.metrics = upkeep.metrics();
    this.last = last;
    this.events = upkeep.volumes().damage().events().subscribe();
    metrics.rfTarget().set(members.view().replication());
  }

  @Override
  public Next run(Instant now) throws InterruptedException {
    hear();
    if (!backlog.send()) {
      return Next.at(now.plus(FULL_REST));
    }
    if (!now.isBefore(nextRound)) {
      boolean more = round();
      // With plans left over the next round comes as soon as the queue has room for them.
      nextRound = now.plus(more ? FULL_REST.multipliedBy(10) : period);
      return Next.again();
    }
    return Next.await(events, nextRound);
  }

  /** A copy that was found bad is fetched at once; a node that came or went starts a round. */
  private void hear() {
    for (StorageEvent event : events.drain()) {
      if (event instanceof StorageEvent.Damaged(Address address, _, _)) {
        damaged(address);
      } else if (event instanceof StorageEvent.NodeChanged
          || event instanceof StorageEvent.MembersChanged
          || event instanceof StorageEvent.HomeChanged) {
        nextRound = Instant.MIN;
      }
    }
  }

  private void damaged(Address address) {
    Optional<ContentStat> whole = local.volumes(ClusterNode.Kind.OBJECT).stat(address);
    boolean urgent = members.view().replication() > 1;
    if (whole.isPresent()
        && !local.inventory().good(local.volumes(ClusterNode.Kind.OBJECT), address)) {
      again(new NodeRepairPlan.Fetch(address, whole.get().sizeBytes(), local.name(), urgent));
      return;
    }
    Optional<Address> owner = local.index().ownerOf(address);
    Optional<CodedIndex.Row> row = owner.flatMap(local.index()::find);
    row.ifPresent(
        found ->
            again(
                new NodeRepairPlan.Rebuild(
                    found.object(),
                    found.shards().indexOf(address),
                    found.sizeBytes(),
                    place(found.shards().indexOf(address)),
                    false)));
  }

  /** What there is no room for is found by a round, so that comes soon. */
  private void again(NodeRepairPlan plan) {
    if (!backlog.offer(plan)) {
      nextRound = Instant.MIN;
    }
  }

  /** Each shard is a plan of its own. */
  private String place(int shard) {
    return local.name() + "#" + shard;
  }

  /** True if something had to be left for the next round. */
  private boolean round() throws InterruptedException {
    ClusterMap view = members.plannedView();
    var away = new HashSet<String>();
    LocalInventory.Pass own = local.inventory().pass(ClusterNode.Kind.OBJECT, view, 0, false);
    var plan = new ClusterPlan(local.name(), view.replication());
    compare(view, ClusterNode.Kind.OBJECT, own, plan, away);
    var tally = new Tally();
    plan.plans().forEach(tally::add);
    for (Inventory.Listed each : own.surplus()) {
      tally.surplus(new NodeRepairPlan.GiveUp(each.address(), each.sizeBytes(), local.name()));
    }
    if (cluster.config().coding().used() || local.index().objects() > 0) {
      coded(view, tally, away);
    }
    metrics.rfObserved().set(Math.min(plan.copiesMin(), inReach(own, view, away)));
    last.set(
        new Round(
            last.get().number() + 1,
            tally.missing,
            tally.urgent,
            tally.surplus,
            tally.skipped,
            List.copyOf(away)));
    return tally.skipped > 0;
  }

  /** Copies that an object of this node has at least, besides those on nodes that do not answer. */
  private static int inReach(LocalInventory.Pass own, ClusterMap view, Set<String> away) {
    long silent =
        own.shared().entrySet().stream()
            .filter(peer -> away.contains(peer.getKey()) && peer.getValue().count() > 0)
            .count();
    return Math.max(1, view.replication() - (int) silent);
  }

  private void compare(
      ClusterMap view,
      ClusterNode.Kind kind,
      LocalInventory.Pass own,
      ClusterPlan plan,
      Set<String> away)
      throws InterruptedException {
    int shards = kind == ClusterNode.Kind.SHARD ? cluster.config().coding().shards() : 0;
    for (PeerNode peer : members.peers()) {
      if (!peer.here()) {
        away.add(peer.name());
        continue;
      }
      var shared = new ClusterNode.Shared(kind, view, shards, local.name());
      RangeDigests mine = own.shared().getOrDefault(peer.name(), RangeDigests.of(List.of()));
      try {
        for (Inventory.Listed each :
            InventoryDiff.missing(mine, new PeerRanges(peer, shared), MISSING_MAX)) {
          plan.found(each, peer.name());
        }
      } catch (IOException e) {
        away.add(peer.name());
      }
    }
  }

  /** Records that are missing are fetched here and now, they are small; then what they name. */
  private void coded(ClusterMap view, Tally tally, Set<String> away) throws InterruptedException {
    int shards = cluster.config().coding().shards();
    LocalInventory.Pass own = local.inventory().pass(ClusterNode.Kind.SHARD, view, shards, false);
    var records = new ClusterPlan(local.name(), 1);
    compare(view, ClusterNode.Kind.SHARD, own, records, away);
    for (NodeRepairPlan each : records.plans()) {
      learn(each.address());
    }
    for (Inventory.Listed each : local.index().listed()) {
      Optional<CodedIndex.Row> row = local.index().find(each.address());
      if (row.isPresent()) {
        shards(view, row.get(), tally);
      }
    }
  }

  private void learn(Address address) throws InterruptedException {
    Optional<CodedObject> object = cluster.coded(address);
    if (object.isEmpty()) {
      return;
    }
    byte[] record = object.get().encoded();
    Address at = object.get().recordAddress();
    try {
      if (local.volumes(ClusterNode.Kind.SHARD).put(at, ObjectStore.Source.of(record))
          instanceof ObjectStore.Written.Stored) {
        local.index().add(object.get(), at);
        local.claims().reliedOn(at);
      }
    } catch (IOException e) {
      metrics.repairSkipped().labelValues("record").inc();
    }
  }

  private void shards(ClusterMap view, CodedIndex.Row row, Tally tally)
      throws InterruptedException {
    List<String> homes = view.shards(row.object(), row.shards().size());
    Volumes own = local.volumes(ClusterNode.Kind.SHARD);
    boolean surplus = !homes.contains(local.name());
    var lacking = new ArrayList<Integer>();
    for (int i = 0; i < homes.size(); i++) {
      boolean holds = local.inventory().good(own, row.shards().get(i));
      boolean mine = homes.get(i).equals(local.name());
      if (mine && !holds) {
        lacking.add(i);
      }
      surplus |= holds && !mine && row.shards().indexOf(row.shards().get(i)) == i;
    }
    if (!lacking.isEmpty()) {
      boolean urgent = ClusterPlan.lastChance(cluster.there(row.shards()), row.dataShards());
      // As many bytes as the object has are read for one shard.
      long bytes = row.sizeBytes();
      for (int shard : lacking) {
        tally.add(new NodeRepairPlan.Rebuild(row.object(), shard, bytes, place(shard), urgent));
      }
    } else if (surplus) {
      tally.surplus(new NodeRepairPlan.GiveUpShards(row.object(), 0, local.name()));
    }
  }

  /** Counts what a round plans. */
  private final class Tally {
    private long missing;
    private long urgent;
    private long surplus;
    private long skipped;

    void add(NodeRepairPlan plan) {
      missing++;
      urgent += plan.urgent() ? 1 : 0;
      skipped += backlog.offer(plan) ? 0 : 1;
    }

    void surplus(NodeRepairPlan plan) {
      surplus++;
      skipped += backlog.offer(plan) ? 0 : 1;
    }
  }
}
