package dev.ron.mailbox.shard;

import dev.ron.blake3.Blake3;
import dev.ron.journal.JournalSettings;
import dev.ron.journal.file.FileJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.retry.Backoff;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.SteppedTree;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.mailbox.MailboxEvent;
import dev.ron.mailbox.MailboxMetrics;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.ShardLayout;
import dev.ron.mailbox.core.state.Attempts;
import dev.ron.mailbox.core.state.ShardLimits;
import dev.ron.mailbox.journal.DiskUse;
import dev.ron.mailbox.journal.MailboxFolder;
import dev.ron.mailbox.journal.MailboxJournal;
import dev.ron.mailbox.quota.QueuedBytes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The mailbox's tasks in virtual time on a disk of the test's choice, without a door.
 *
 * <p>Threading: owned by the test.
 */
final class SteppedMailbox {
  static final int SHARDS = 2;

  /** Few, so that a reader can be too slow for them. */
  static final int EVENTS = 16;

  static final int REPLAY_MILLIS = 300_000;

  static final Path FOLDER = Path.of("/mailbox");
  private static final int INBOX_MAX = 64;

  /** A few messages; most are read back from the disk. */
  private static final int LETTER_BYTES = 2000;

  private static final ShardLimits LIMITS =
      new ShardLimits(
          1000,
          1000,
          REPLAY_MILLIS,
          1000,
          1000,
          new Attempts(2, new Backoff.FullJitter(Duration.ofMillis(20), Duration.ofMillis(100))));

  TenantTable tenants = TenantTable.NONE;
  final Scope scope;
  final Shards shards;
  final MailboxMetrics metrics;
  final Supervisor supervisor;
  final Function<ShardSlot, Task> loop;
  SteppedTree tree;
  final MailboxJournal journal;

  SteppedMailbox(
      VirtualTime time, RandomGenerator random, Disk disk, boolean waitsForDisk, int inFlightMax)
      throws Exception {
    this(time, random, disk, waitsForDisk, inFlightMax, SHARDS);
  }

  SteppedMailbox(
      VirtualTime time,
      RandomGenerator random,
      Disk disk,
      boolean waitsForDisk,
      int inFlightMax,
      int shardCount)
      throws Exception {
    this(
        World.seeded(time, random, disk, Threads.virtual(), Log.silent()),
        waitsForDisk,
        inFlightMax,
        shardCount);
    tree = SteppedTree.start(supervisor, scope, time, random);
  }

  /** Without a tree: {@code supervisor} is the test's to start. */
  SteppedMailbox(World world, boolean waitsForDisk, int inFlightMax, int shardCount)
      throws Exception {
    Disk disk = world.disk();
    scope = Scope.of("mailbox", world).shared(() -> tenants);
    JournalSettings settings =
        JournalSettings.in(MailboxFolder.journal(FOLDER)).sized(16384, 8192, 4096, 0);
    ShardLayout layout = MailboxFolder.layout(scope, FOLDER, shardCount);
    FileJournal file = MailboxFolder.open(scope, FOLDER, settings);
    journal =
        new MailboxJournal(file, layout.shards(), DiskUse.of(disk, MailboxFolder.journal(FOLDER)));
    var bounds =
        new MailboxLimits(
            INBOX_MAX,
            64,
            new SharedLimit("global_inflight", inFlightMax),
            new SharedLimit("index_bytes", 8 << 20),
            new SharedLimit("idem_bytes", 8 << 20),
            0,
            LETTER_BYTES,
            () -> false,
            1,
            new QueuedBytes(scope));
    Broadcast<MailboxEvent> events = Broadcast.of(scope, "events", EVENTS);
    metrics = MailboxMetrics.in(scope);
    shards = Shards.recover(scope, layout, LIMITS, bounds, journal, events);
    var captures = SnapshotTask.captures(scope, "captures", shards.count());
    var rules = new SnapshotPolicy(600, 1 << 20, 32_768, settings.snapshotsKept());
    var retain = new Command.Retain(1 << 30, 1 << 30);
    loop = slot -> new ShardLoop(slot, journal.facts(), metrics, scope.secrets(), waitsForDisk);
    supervisor =
        Supervisor.named("mailbox")
            .child("flush", Restart.ALWAYS, file::flushTask)
            .child("events", Restart.ALWAYS, () -> MailboxEvent.reader(events, scope.log()))
            .children("shard", shards.slots(), Restart.ALWAYS, loop)
            .child(
                "snapshot",
                Restart.ALWAYS,
                () -> new SnapshotTask(scope, shards.slots(), journal, metrics, rules, captures))
            .child(
                "retention",
                Restart.ALWAYS,
                () -> new RetentionSweep(shards.slots(), retain, scope.time()))
            .child(
                "rebalance",
                Restart.ON_FAILURE,
                () ->
                    new Rebalancer(
                        scope,
                        shards.slots(),
                        layout,
                        REPLAY_MILLIS,
                        kept -> MailboxFolder.keep(disk, FOLDER, kept)));
  }

  /** Asked, not waited for. */
  Reply<Outcome> send(int shard, String topic, String key, int delayMillis) {
    return shards.submit(shard, command(topic, key, delayMillis));
  }

  static Command.Send command(String topic, String key, int delayMillis) {
    byte[] body = key.getBytes(StandardCharsets.UTF_8);
    return new Command.Send(
        topic, key, body, Blake3.hash(body), Map.of(), delayMillis, "", "", 0, false);
  }

  /** Puts a request for one message into a shard's inbox. */
  Reply<ReceiveResult> receive(int shard, String topic, long visibilityMillis, boolean waits) {
    var reply = new Reply<ReceiveResult>(scope.time());
    shards
        .slots()
        .get(shard)
        .inbox()
        .trySend(
            new ShardRequest.Receive(
                new ReceiveRequest(topic, visibilityMillis, 1, 1 << 20), waits, reply));
    return reply;
  }
}
