package dev.ron.mailbox;

import dev.ron.capability.Verifier;
import dev.ron.http.server.Access;
import dev.ron.http.server.Decoders;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.Routes;
import dev.ron.journal.JournalSettings;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.mailbox.api.ClusterRoutes;
import dev.ron.mailbox.api.Desk;
import dev.ron.mailbox.api.MailboxRoutes;
import dev.ron.mailbox.api.Rights;
import dev.ron.mailbox.disk.MailboxFolder;
import dev.ron.mailbox.disk.MailboxJournal;
import dev.ron.mailbox.task.Cluster;
import dev.ron.raft.PeerKeys;
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
    long payload = config.capacity().payload().bytes();
    JournalSettings settings = MailboxFolder.settings(config.data(), payload, FLUSH_EVERY);
    long diskMax = config.retention().disk().bytes();
    var plan =
        new Cluster.Plan(
            config.data(),
            config.capacity().shardCount(),
            config.shardLimits(),
            settings,
            raft(config, Math.toIntExact(2 * payload) + ENTRY_BYTES),
            journals ->
                MailboxService.bounds(
                    config,
                    config.capacity().shardCount(),
                    () -> Cluster.sum(journals, MailboxJournal::diskBytes),
                    diskMax),
            config.cluster().spread());
    MailboxFolder.fixed(scope.disk(), config.data(), "groups", config.cluster().groups());
    Cluster cluster = Cluster.open(scope, plan, metrics);
    Supervisor tree = Supervisor.named("mailbox");
    var rights = new Rights(scope, verifier);
    var desk = new Desk(cluster.shards(), rights, config, metrics, scope.time());
    var http =
        HttpServerConfig.on(config.bind().host(), config.bind().port())
            .with(limits)
            .with(Access.of(hosts, scope, verifier));
    Routes routes = MailboxRoutes.of(desk);
    new ClusterRoutes(desk, cluster).into(routes);
    var door = new HttpServer(scope, http, routes, rights.guard(), Decoders.NONE);
    return new MailboxService.Wired(
        cluster
            .into(
                tree,
                MailboxService.rules(config, settings, diskMax / config.cluster().groups()),
                MailboxService.ages(config))
            .door("http", door),
        door);
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
