package dev.ron.mailbox;

import dev.ron.capability.Verifier;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.Limits;
import dev.ron.http.server.Routes;
import dev.ron.journal.JournalSettings;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.mailbox.api.ClusterRoutes;
import dev.ron.mailbox.api.Desk;
import dev.ron.mailbox.api.MailboxRoutes;
import dev.ron.mailbox.api.Rights;
import dev.ron.mailbox.disk.MailboxFolder;
import dev.ron.mailbox.disk.MailboxJournal;
import dev.ron.mailbox.task.Cluster;
import dev.ron.mailbox.task.ClusterTask;
import dev.ron.mailbox.task.ProposeTask;
import dev.ron.mailbox.task.Replica;
import dev.ron.mailbox.task.ReplicaLoop;
import dev.ron.mailbox.task.RetentionSweep;
import dev.ron.mailbox.task.ShardGauges;
import dev.ron.mailbox.task.ShardHome;
import dev.ron.mailbox.task.Shards;
import dev.ron.mailbox.task.SnapshotRules;
import dev.ron.mailbox.task.SnapshotTask;
import dev.ron.raft.PeerKeys;
import dev.ron.raft.RaftNode;
import dev.ron.raft.RaftSettings;
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
final class MailboxCluster {
  /** A group's journal can always be made again from the log, so it is not waited for. */
  private static final Duration FLUSH_EVERY = Duration.ofMillis(50);

  /** Facts of one entry besides the largest message; see {@code Reign}. */
  private static final int ENTRY_BYTES = 2 << 20;

  private MailboxCluster() {}

  static MailboxService.Wired wire(
      MailboxConfig config,
      Scope scope,
      Limits limits,
      List<String> hosts,
      @Nullable Verifier verifier)
      throws IOException {
    var metrics = MailboxMetrics.in(scope);
    MailboxFolder.fixed(scope.disk(), config.data(), "groups", config.cluster().groups());
    JournalSettings settings = settings(config);
    Cluster cluster = Cluster.open(scope, plan(config, settings));
    Shards shards = cluster.shards();
    List<ShardHome> homes = shards.homes();
    RaftNode node = cluster.node();
    ShardGauges.in(scope, shards, metrics, config.shardLimits().capacity());
    long journalMax = config.retention().disk().bytes() / config.cluster().groups();
    SnapshotRules rules = MailboxService.rules(config, settings, journalMax);

    Supervisor tree = Supervisor.named("mailbox");
    List<Replica> replicas = cluster.replicas();
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
        tree.children(
            "shard",
            homes,
            Restart.ALWAYS,
            home ->
                new ReplicaLoop(home, cluster.replica(home.number()), metrics, scope.secrets()));
    for (Replica each : replicas) {
      List<ShardHome> own = each.shards().stream().map(homes::get).toList();
      var captures = SnapshotTask.captures(scope, "captures-" + each.group(), own.size());
      tree =
          tree.child(
              "snapshot-" + each.group(),
              Restart.ALWAYS,
              () -> new SnapshotTask(scope, own, each.journal(), metrics, rules, captures));
    }
    var desk = new Desk(shards, new Rights(scope, verifier), config, metrics, scope.time());
    Routes routes = MailboxRoutes.of(desk);
    new ClusterRoutes(desk, cluster).into(routes);
    HttpServer door = MailboxService.door(desk, routes, scope, limits, hosts, verifier);
    return new MailboxService.Wired(
        tree.child(
                "retention",
                Restart.ALWAYS,
                () -> new RetentionSweep(homes, MailboxService.ages(config), scope.time()))
            .child(
                "cluster",
                Restart.ALWAYS,
                () -> new ClusterTask(scope, node, replicas, config.cluster().spread()))
            .door("raft", node)
            .door("http", door),
        door);
  }

  private static JournalSettings settings(MailboxConfig config) {
    return MailboxFolder.settings(config.data(), config.capacity().payload().bytes(), FLUSH_EVERY);
  }

  private static Cluster.Plan plan(MailboxConfig config, JournalSettings settings) {
    int shardCount = config.capacity().shardCount();
    long payload = config.capacity().payload().bytes();
    long diskMax = config.retention().disk().bytes();
    return new Cluster.Plan(
        config.data(),
        shardCount,
        config.shardLimits(),
        settings,
        raft(config, Math.toIntExact(2 * payload) + ENTRY_BYTES),
        journals ->
            MailboxService.bounds(
                config,
                shardCount,
                () -> Cluster.sum(journals, MailboxJournal::diskBytes),
                diskMax),
        config.cluster()::doorOf);
  }

  private static RaftSettings raft(MailboxConfig config, int entryBytesMax) {
    ClusterConfig cluster = config.cluster();
    return new RaftSettings(
        "mailbox",
        cluster.node(),
        cluster.peers(),
        cluster.bind(),
        config.data().resolve("raft"),
        cluster.groups(),
        cluster.election(),
        entryBytesMax,
        cluster.join(),
        cluster.log().segment().bytes(),
        cluster.log().entries(),
        keys(cluster.tls()));
  }

  private static Optional<PeerKeys> keys(ClusterConfig.Tls tls) {
    return tls.isOn()
        ? Optional.of(
            new PeerKeys(
                tls.cert().orElseThrow(), tls.key().orElseThrow(), tls.authority().orElseThrow()))
        : Optional.empty();
  }
}
