package dev.ron.mailbox;

import dev.ron.capability.Verifier;
import dev.ron.config.Address;
import dev.ron.http.server.Access;
import dev.ron.http.server.Decoders;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.Routes;
import dev.ron.journal.FileJournal;
import dev.ron.journal.JournalSettings;
import dev.ron.journal.MemoryJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.mailbox.api.Desk;
import dev.ron.mailbox.api.MailboxRoutes;
import dev.ron.mailbox.api.Rights;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Layout;
import dev.ron.mailbox.disk.DiskUse;
import dev.ron.mailbox.disk.MailboxFolder;
import dev.ron.mailbox.disk.MailboxJournal;
import dev.ron.mailbox.task.Bounds;
import dev.ron.mailbox.task.Ceiling;
import dev.ron.mailbox.task.Rebalancer;
import dev.ron.mailbox.task.RetentionSweep;
import dev.ron.mailbox.task.ShardGauges;
import dev.ron.mailbox.task.ShardHome;
import dev.ron.mailbox.task.ShardLoop;
import dev.ron.mailbox.task.Shards;
import dev.ron.mailbox.task.SnapshotRules;
import dev.ron.mailbox.task.SnapshotTask;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The wiring: journal, shards, tasks, door.
 *
 * <p>Who consumes stands above who produces: the flush above the shards, the shards above the door.
 * The journal is read here, before there is a door, so that no request meets half a mailbox.
 */
public final class MailboxService {
  /** More than a hardened server lets in at a time. */
  private static final int POLLS_MAX = 4096;

  /** A quarter of the memory for keys is the shards' own, so that a loud topic leaves some. */
  private static final int KEYS_OWN_PART = 4;

  /** So many segments of past records are borne before living ones are carried. */
  private static final int PAST_SEGMENTS = 4;

  private MailboxService() {}

  /** The tree, and the door its address is asked of once it is open. */
  public record Wired(Supervisor supervisor, HttpServer door) {}

  /**
   * @param verifier null lets everybody in; for tests, and behind a door that checks
   * @throws IOException if the journal cannot be read; the message says what to do
   */
  public static Wired wire(
      MailboxConfig config, Scope scope, Limits limits, @Nullable Verifier verifier)
      throws IOException {
    return wire(config, scope, limits, List.of(), verifier);
  }

  /**
   * @param hosts names besides this machine's own that the door answers to
   * @param verifier null lets everybody in
   * @throws IOException if the journal cannot be read; the message says what to do
   */
  public static Wired wire(
      MailboxConfig config,
      Scope scope,
      Limits limits,
      List<String> hosts,
      @Nullable Verifier verifier)
      throws IOException {
    var metrics = MailboxMetrics.in(scope);
    int shardCount = config.capacity().shardCount();
    boolean amnesia = config.durability().amnesia();
    if (!config.durability().words().equals("always")) {
      scope.readiness().note("durability", config.durability().words());
    }
    JournalSettings settings = settings(config);
    Layout layout =
        amnesia ? Layout.of(shardCount) : MailboxFolder.layout(scope, config.data(), shardCount);
    MailboxJournal journal = journal(config, scope, settings, layout);
    long diskMax = config.retention().diskBytes().bytes();
    Bounds bounds = bounds(config, layout.shards(), journal::diskBytes, diskMax);
    SnapshotRules rules = rules(config, settings, amnesia ? MailboxFolder.MEMORY_BYTES : diskMax);
    Shards shards = Shards.recover(scope, layout, config.shardLimits(), bounds, journal);
    List<ShardHome> homes = shards.homes();
    ShardGauges.in(scope, shards, metrics, config.shardLimits().capacity());
    var captures = SnapshotTask.captures(scope, "captures", homes.size());
    var desk = new Desk(shards, new Rights(scope, verifier), config, metrics, scope.time());
    HttpServer door = door(desk, MailboxRoutes.of(desk), scope, limits, hosts, verifier);

    Supervisor tree = Supervisor.named("mailbox");
    if (journal.journal() instanceof FileJournal file) {
      tree = tree.child("flush", Restart.ALWAYS, file::flushTask);
    }
    return new Wired(
        tree.children(
                "shard",
                homes,
                Restart.ALWAYS,
                home ->
                    new ShardLoop(
                        home, journal.facts(), metrics, scope.secrets(), waitsForDisk(config)))
            .child(
                "snapshot",
                Restart.ALWAYS,
                () -> new SnapshotTask(scope, homes, journal, metrics, rules, captures))
            .child(
                "retention",
                Restart.ALWAYS,
                () -> new RetentionSweep(homes, ages(config), scope.time()))
            .child(
                "rebalance",
                Restart.ON_FAILURE,
                () ->
                    new Rebalancer(
                        scope,
                        homes,
                        layout,
                        config.tReplay().toMillis(),
                        kept -> MailboxFolder.keep(scope.disk(), config.data(), kept)))
            .door("http", door),
        door);
  }

  private static MailboxJournal journal(
      MailboxConfig config, Scope scope, JournalSettings settings, Layout layout)
      throws IOException {
    if (config.durability().amnesia()) {
      var memory = new MemoryJournal(scope, MailboxFolder.inMemory(settings));
      return new MailboxJournal(memory, layout.shards(), DiskUse.none());
    }
    FileJournal file = MailboxFolder.open(scope, config.data(), settings);
    DiskUse use = DiskUse.of(scope.disk(), settings.folder());
    return new MailboxJournal(file, layout.shards(), use);
  }

  /** The door for clients. */
  public static HttpServer door(
      Desk desk,
      Routes routes,
      Scope scope,
      Limits limits,
      List<String> hosts,
      @Nullable Verifier verifier) {
    Address bind = desk.config().bind();
    var http =
        HttpServerConfig.on(bind.host(), bind.port())
            .with(limits)
            .with(Access.of(hosts, scope, verifier));
    return new HttpServer(scope, http, routes, desk.rights().guard(), Decoders.NONE);
  }

  /**
   * @param shards that share the memory, former ones included
   */
  public static Bounds bounds(
      MailboxConfig config, int shards, LongSupplier diskBytes, long diskMax) {
    MailboxConfig.Capacity capacity = config.capacity();
    long idemBytes = capacity.idemBytes().bytes();
    return new Bounds(
        capacity.inbox(),
        POLLS_MAX,
        new Ceiling("global_inflight", capacity.globalInflight()),
        new Ceiling("index_bytes", capacity.indexBytes().bytes()),
        new Ceiling("idem_bytes", idemBytes - idemBytes / KEYS_OWN_PART),
        idemBytes / KEYS_OWN_PART / shards,
        capacity.memoryBytes().bytes() / shards,
        () -> diskBytes.getAsLong() > diskMax,
        diskMax);
  }

  public static SnapshotRules rules(
      MailboxConfig config, JournalSettings settings, long journalMax) {
    return new SnapshotRules(
        config.durability().snapshotBytes().bytes(),
        journalMax / 2,
        PAST_SEGMENTS * (long) settings.segmentBytes(),
        settings.snapshotsKept());
  }

  private static boolean waitsForDisk(MailboxConfig config) {
    return config.durability().flush() == MailboxConfig.Flush.ALWAYS;
  }

  private static JournalSettings settings(MailboxConfig config) {
    Duration every = waitsForDisk(config) ? Duration.ZERO : config.durability().flushInterval();
    return MailboxFolder.settings(config.data(), config.capacity().payloadBytes().bytes(), every);
  }

  public static Command.Retain ages(MailboxConfig config) {
    return new Command.Retain(
        config.retention().ready().toMillis(), config.retention().dead().toMillis());
  }
}
