package dev.ron.mailbox;

import dev.ron.capability.Verifier;
import dev.ron.config.DoorAddress;
import dev.ron.config.DoorSettings;
import dev.ron.http.server.Access;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.Timeouts;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.http.server.route.Routes;
import dev.ron.journal.AmnesiaJournal;
import dev.ron.journal.JournalSettings;
import dev.ron.journal.file.FileJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.mailbox.api.MailboxContext;
import dev.ron.mailbox.api.MailboxRights;
import dev.ron.mailbox.api.MailboxRoutes;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.ShardLayout;
import dev.ron.mailbox.journal.DiskUse;
import dev.ron.mailbox.journal.MailboxFolder;
import dev.ron.mailbox.journal.MailboxJournal;
import dev.ron.mailbox.queue.MoveRunner;
import dev.ron.mailbox.queue.Queues;
import dev.ron.mailbox.quota.QueuedBytes;
import dev.ron.mailbox.shard.MailboxLimits;
import dev.ron.mailbox.shard.Rebalancer;
import dev.ron.mailbox.shard.RetentionSweep;
import dev.ron.mailbox.shard.ShardGauges;
import dev.ron.mailbox.shard.ShardLoop;
import dev.ron.mailbox.shard.ShardSlot;
import dev.ron.mailbox.shard.Shards;
import dev.ron.mailbox.shard.SharedLimit;
import dev.ron.mailbox.shard.SnapshotPolicy;
import dev.ron.mailbox.shard.SnapshotTask;
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

  /** Segments of past records that stay before living ones are carried. */
  private static final int PAST_SEGMENTS = 4;

  private MailboxService() {}

  /**
   * The tree, the door its address is asked of once it is open, and the queues for a door of their
   * own.
   */
  public record Wired(Supervisor supervisor, HttpServer door, Queues queues) {}

  /**
   * @param verifier null lets every request in; for tests, and behind a door that checks
   * @throws IOException if the journal cannot be read; the message says what to do
   */
  public static Wired wire(
      MailboxConfig config, Scope scope, Limits limits, @Nullable Verifier verifier)
      throws IOException {
    return wire(config, scope, limits, List.of(), verifier);
  }

  /**
   * @param hosts names besides this machine's own that the door answers to
   * @param verifier null lets every request in
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
    boolean amnesia = config.durability().amnesia();
    noteDurability(config, scope);
    JournalSettings settings = settings(config);
    ShardLayout layout = layout(config, scope);
    MailboxJournal journal = journal(config, scope, settings, layout);
    long diskMax = config.retention().diskBytes().bytes();
    MailboxLimits bounds = bounds(config, scope, layout.shards(), journal::diskBytes, diskMax);
    SnapshotPolicy rules = rules(config, settings, amnesia ? MailboxFolder.MEMORY_BYTES : diskMax);
    Broadcast<MailboxEvent> events = Broadcast.of(scope, "events", config.capacity().events());
    Shards shards = Shards.recover(scope, layout, config.shardLimits(), bounds, journal, events);
    List<ShardSlot> slots = shards.slots();
    ShardGauges.in(scope, shards, metrics, config.shardLimits().capacity());
    var captures = SnapshotTask.captures(scope, "captures", slots.size());
    var context =
        new MailboxContext(
            shards, new MailboxRights(scope, verifier), config, metrics, scope.time());
    HttpServer door = door(context, MailboxRoutes.of(context), scope, limits, hosts, verifier);

    Supervisor tree = Supervisor.named("mailbox");
    if (journal.journal() instanceof FileJournal file) {
      tree = tree.child("flush", Restart.ALWAYS, file::flushTask);
    }
    return new Wired(
        tree.child("events", Restart.ALWAYS, () -> MailboxEvent.reader(events, scope.log()))
            .children(
                "shard",
                slots,
                Restart.ALWAYS,
                slot ->
                    new ShardLoop(
                        slot, journal.facts(), metrics, scope.secrets(), waitsForDisk(config)))
            .child(
                "snapshot",
                Restart.ALWAYS,
                () -> new SnapshotTask(scope, slots, journal, metrics, rules, captures))
            .child(
                "retention",
                Restart.ALWAYS,
                () -> new RetentionSweep(slots, ages(config), scope.time()))
            .child("moves", Restart.ALWAYS, () -> new MoveRunner(scope, shards))
            .child("rebalance", Restart.ON_FAILURE, () -> rebalancer(scope, slots, layout, config))
            .door("http", door),
        door,
        new Queues(shards, scope));
  }

  private static Rebalancer rebalancer(
      Scope scope, List<ShardSlot> slots, ShardLayout layout, MailboxConfig config) {
    return new Rebalancer(
        scope,
        slots,
        layout,
        config.tReplay().toMillis(),
        kept -> MailboxFolder.keep(scope.disk(), config.data(), kept));
  }

  /** What is weaker than the promise shows where people look for trouble. */
  private static void noteDurability(MailboxConfig config, Scope scope) {
    if (!config.durability().words().equals("always")) {
      scope.readiness().note("durability", config.durability().words());
    }
  }

  private static ShardLayout layout(MailboxConfig config, Scope scope) throws IOException {
    int shards = config.capacity().shardCount();
    return config.durability().amnesia()
        ? ShardLayout.of(shards)
        : MailboxFolder.layout(scope, config.data(), shards);
  }

  private static MailboxJournal journal(
      MailboxConfig config, Scope scope, JournalSettings settings, ShardLayout layout)
      throws IOException {
    if (config.durability().amnesia()) {
      var memory = new AmnesiaJournal(scope, MailboxFolder.inMemory(settings));
      return new MailboxJournal(memory, layout.shards(), DiskUse.none());
    }
    FileJournal file = MailboxFolder.open(scope, config.data(), settings);
    DiskUse use = DiskUse.of(scope.disk(), settings.folder());
    return new MailboxJournal(file, layout.shards(), use);
  }

  /** The door for clients. */
  public static HttpServer door(
      MailboxContext context,
      Routes routes,
      Scope scope,
      Limits limits,
      List<String> hosts,
      @Nullable Verifier verifier)
      throws IOException {
    DoorAddress address = context.config().address();
    DoorSettings server = context.config().server();
    var http =
        HttpServerConfig.on(address.bind().host(), address.bind().port())
            .secured(address.tlsCertificate(), address.tlsKey())
            .besides(address.uds(), address.udsUids())
            .with(
                limits.bounded(
                    server.maxConnections(),
                    server.maxBodyBytes().bytes(),
                    server.maxInflight(),
                    server.maxRps()))
            .with(Timeouts.of(server.readTimeout(), server.writeTimeout(), server.idleTimeout()))
            .with(Access.of(hosts, scope, verifier));
    return new HttpServer(scope, http, routes, context.rights().guard(), Decoders.NONE);
  }

  /**
   * @param shards that share the memory, former ones included
   */
  public static MailboxLimits bounds(
      MailboxConfig config, Scope scope, int shards, LongSupplier diskBytes, long diskMax) {
    MailboxConfig.Capacity capacity = config.capacity();
    long idemBytes = capacity.idemBytes().bytes();
    return new MailboxLimits(
        capacity.inbox(),
        POLLS_MAX,
        new SharedLimit("global_inflight", capacity.globalInflight()),
        new SharedLimit("index_bytes", capacity.indexBytes().bytes()),
        new SharedLimit("idem_bytes", idemBytes - idemBytes / KEYS_OWN_PART),
        idemBytes / KEYS_OWN_PART / shards,
        capacity.memoryBytes().bytes() / shards,
        () -> diskBytes.getAsLong() > diskMax,
        diskMax,
        new QueuedBytes(scope));
  }

  public static SnapshotPolicy rules(
      MailboxConfig config, JournalSettings settings, long journalMax) {
    return new SnapshotPolicy(
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
