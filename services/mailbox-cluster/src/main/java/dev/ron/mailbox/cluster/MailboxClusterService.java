package dev.ron.mailbox.cluster;

import dev.ron.capability.Verifier;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.Limits;
import dev.ron.http.server.route.Routes;
import dev.ron.http.tls.PeerIdentity;
import dev.ron.journal.JournalSettings;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.mailbox.MailboxConfig;
import dev.ron.mailbox.MailboxEvent;
import dev.ron.mailbox.MailboxMetrics;
import dev.ron.mailbox.MailboxService;
import dev.ron.mailbox.api.MailboxContext;
import dev.ron.mailbox.api.MailboxRights;
import dev.ron.mailbox.api.MailboxRoutes;
import dev.ron.mailbox.cluster.api.MailboxClusterRoutes;
import dev.ron.mailbox.cluster.replica.ProposeTask;
import dev.ron.mailbox.cluster.replica.Replica;
import dev.ron.mailbox.cluster.replica.ReplicaLoop;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.journal.MailboxFolder;
import dev.ron.mailbox.journal.MailboxJournal;
import dev.ron.mailbox.queue.MoveRunner;
import dev.ron.mailbox.queue.Queues;
import dev.ron.mailbox.shard.RetentionSweep;
import dev.ron.mailbox.shard.ShardGauges;
import dev.ron.mailbox.shard.ShardSlot;
import dev.ron.mailbox.shard.Shards;
import dev.ron.mailbox.shard.SnapshotPolicy;
import dev.ron.mailbox.shard.SnapshotTask;
import dev.ron.raft.GroupMachines;
import dev.ron.raft.GroupMembership;
import dev.ron.raft.GroupReadiness;
import dev.ron.raft.PeerKeys;
import dev.ron.raft.RaftNode;
import dev.ron.raft.RaftSettings;
import dev.ron.raft.RatisNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The wiring of a mailbox that several machines keep: as {@link MailboxService}, with a journal for
 * each group and the log they share beneath it.
 *
 * <p>Apart, so that a machine alone loads none of it.
 */
public final class MailboxClusterService {
  /** A group's journal can always be made again from the log, so it is not waited for. */
  private static final Duration FLUSH_EVERY = Duration.ofMillis(50);

  /** Facts of one entry besides the largest message; see {@code LeaderTerm}. */
  private static final int ENTRY_BYTES = 2 << 20;

  private MailboxClusterService() {}

  /**
   * @param hosts names besides this machine's own that the door answers to
   * @param verifier null lets every request in
   * @param machines those that the groups are to have
   * @throws IOException if a journal cannot be read; the message says what to do
   */
  public static MailboxService.Wired wire(
      MailboxClusterConfig config,
      Scope scope,
      Limits limits,
      List<String> hosts,
      @Nullable Verifier verifier,
      GroupMachines machines)
      throws IOException {
    MailboxConfig mailbox = config.mailbox();
    var metrics = MailboxMetrics.in(scope);
    Kept kept = keep(config, scope, metrics, RatisNode::new);
    ReplicatedShards cluster = kept.cluster();
    scope.readiness().derived("cluster", new GroupReadiness(cluster.node(), machines)::missing);
    Shards shards = cluster.shards();
    var context =
        new MailboxContext(
            shards, new MailboxRights(scope, verifier), mailbox, metrics, scope.time());
    Routes routes = MailboxRoutes.of(context).add(MailboxClusterRoutes.of(context, cluster));
    HttpServer door = MailboxService.door(context, routes, scope, limits, hosts, verifier);
    return new MailboxService.Wired(
        kept.supervisor()
            .child(
                "members",
                Restart.ALWAYS,
                () -> new GroupMembership(scope, cluster.node(), machines))
            .door("http", door),
        door,
        new Queues(shards, scope));
  }

  /** The shards of one machine without a door for clients: the tree that keeps them. */
  public record Kept(Supervisor supervisor, ReplicatedShards cluster) {}

  /**
   * Keeps the shards in step with those of other machines; no client is answered here.
   *
   * @param log makes this machine's part in the groups
   * @throws IOException if a journal cannot be read; the message says what to do
   */
  public static Kept keep(
      MailboxClusterConfig config, Scope scope, MailboxMetrics metrics, RaftNode.Maker log)
      throws IOException {
    MailboxConfig mailbox = config.mailbox();
    MailboxFolder.fixed(scope.disk(), mailbox.data(), "groups", config.groups());
    JournalSettings settings = settings(mailbox);
    Broadcast<MailboxEvent> events = Broadcast.of(scope, "events", mailbox.capacity().events());
    ReplicatedShards cluster =
        ReplicatedShards.open(scope, plan(config, scope, settings, log), events);
    ShardGauges.in(scope, cluster.shards(), metrics, mailbox.shardLimits().capacity());
    long journalMax = mailbox.retention().diskBytes().bytes() / config.groups();
    SnapshotPolicy rules = MailboxService.rules(mailbox, settings, journalMax);
    return new Kept(
        tree(config, scope, cluster, rules, metrics, events).door("raft", cluster.node()), cluster);
  }

  /** Every task, in the order they start. */
  private static Supervisor tree(
      MailboxClusterConfig config,
      Scope scope,
      ReplicatedShards cluster,
      SnapshotPolicy rules,
      MailboxMetrics metrics,
      Broadcast<MailboxEvent> events) {
    RaftNode node = cluster.node();
    List<Replica> replicas = cluster.replicas();
    List<ShardSlot> slots = cluster.shards().slots();
    Supervisor tree = Supervisor.named("mailbox");
    for (Replica each : replicas) {
      tree = tree.child("flush-" + each.group(), Restart.ALWAYS, each::flushTask);
    }
    for (Replica each : replicas) {
      tree =
          tree.child(
              "propose-" + each.group(),
              Restart.ALWAYS,
              () -> new ProposeTask(scope, each, () -> node.group(each.group())));
    }
    tree =
        tree.child("events", Restart.ALWAYS, () -> MailboxEvent.reader(events, scope.log()))
            .children(
                "shard",
                slots,
                Restart.ALWAYS,
                slot ->
                    new ReplicaLoop(
                        slot, cluster.replica(slot.number()), metrics, scope.secrets()));
    for (Replica each : replicas) {
      List<ShardSlot> own = each.shards().stream().map(slots::get).toList();
      var captures = SnapshotTask.captures(scope, "captures-" + each.group(), own.size());
      tree =
          tree.child(
              "snapshot-" + each.group(),
              Restart.ALWAYS,
              () -> new SnapshotTask(scope, own, each.journal(), metrics, rules, captures));
    }
    Command.Retain ages = MailboxService.ages(config.mailbox());
    return tree.child(
            "retention", Restart.ALWAYS, () -> new RetentionSweep(slots, ages, scope.time()))
        .child("moves", Restart.ALWAYS, () -> new MoveRunner(scope, cluster.shards()))
        .child(
            "cluster",
            Restart.ALWAYS,
            () -> new LeadershipBalancer(scope, node, replicas, config.spread()));
  }

  private static JournalSettings settings(MailboxConfig config) {
    return MailboxFolder.settings(
        config.data(), config.capacity().payloadBytes().bytes(), FLUSH_EVERY);
  }

  private static ReplicatedShards.Plan plan(
      MailboxClusterConfig config, Scope scope, JournalSettings settings, RaftNode.Maker log)
      throws IOException {
    MailboxConfig mailbox = config.mailbox();
    int shardCount = mailbox.capacity().shardCount();
    long payload = mailbox.capacity().payloadBytes().bytes();
    long diskMax = mailbox.retention().diskBytes().bytes();
    return new ReplicatedShards.Plan(
        mailbox.data(),
        shardCount,
        mailbox.shardLimits(),
        settings,
        raft(config, Math.toIntExact(2 * payload) + ENTRY_BYTES),
        journals ->
            MailboxService.bounds(
                mailbox,
                scope,
                shardCount,
                () -> ReplicatedShards.sum(journals, MailboxJournal::diskBytes),
                diskMax),
        config::doorOf,
        log);
  }

  private static RaftSettings raft(MailboxClusterConfig cluster, int entryBytesMax)
      throws IOException {
    return new RaftSettings(
        "mailbox",
        cluster.node(),
        cluster.peers(),
        cluster.bind(),
        cluster.mailbox().data().resolve("raft"),
        cluster.groups(),
        cluster.election(),
        entryBytesMax,
        cluster.foundedBy(),
        cluster.log().logSegment().bytes(),
        cluster.log().logEntries(),
        false,
        keys(cluster.tls()));
  }

  private static Optional<PeerKeys> keys(MailboxClusterConfig.Tls tls) throws IOException {
    if (!tls.isOn()) {
      return Optional.empty();
    }
    PeerIdentity identity = tls.files().orElseThrow().identity();
    return Optional.of(new PeerKeys(identity.keys(), identity.trust()));
  }
}
