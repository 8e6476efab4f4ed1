package dev.ron.simulator.mailbox;

import dev.ron.config.Settings;
import dev.ron.journal.Journal;
import dev.ron.kernel.Scope;
import dev.ron.mailbox.MailboxMetrics;
import dev.ron.mailbox.cluster.MailboxClusterConfig;
import dev.ron.mailbox.cluster.MailboxClusterService;
import dev.ron.mailbox.cluster.replica.Replica;
import dev.ron.mailbox.queue.Queues;
import dev.ron.mailbox.shard.Shards;
import dev.ron.simulator.cluster.BootedService;
import dev.ron.simulator.engine.Machine;
import dev.ron.simulator.engine.Seams;
import dev.ron.simulator.engine.Violation;
import dev.ron.simulator.log.AgreedLog;
import dev.ron.simulator.log.LogNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A machine of the mailbox's cluster: production's own wiring, on the simulated log and without a
 * door for clients.
 *
 * <p>Threading: immutable.
 *
 * @param shards as clients see them
 */
record MailboxMachine(Scope scope, Shards shards, Queues queues, List<Replica> replicas) {
  private static final Path FOLDER = Path.of("/mailbox");
  private static final int SHARDS = 3;

  static BootedService<MailboxMachine> on(Machine machine, List<AgreedLog> logs, Seams seams) {
    return new BootedService<>(
        machine, "mailbox", scope -> start(scope, machine.name(), logs, seams));
  }

  private static BootedService.Started<MailboxMachine> start(
      Scope scope, String name, List<AgreedLog> logs, Seams seams) throws Exception {
    MailboxClusterService.Kept kept =
        MailboxClusterService.keep(
            config(name, logs.size()),
            scope,
            MailboxMetrics.in(scope),
            (_, _, machines) -> new LogNode(logs, name, machines, seams));
    Shards shards = kept.cluster().shards();
    return new BootedService.Started<>(
        kept.supervisor().start(scope),
        new MailboxMachine(scope, shards, new Queues(shards, scope), kept.cluster().replicas()));
  }

  private static MailboxClusterConfig config(String name, int groups) {
    Map<String, String> flags = new TreeMap<>();
    flags.put("mailbox.bind", "127.0.0.1:0");
    flags.put("mailbox.data", FOLDER.toString());
    flags.put("mailbox.cluster.engine", "ratis");
    flags.put("mailbox.cluster.node", name);
    flags.put(
        "mailbox.cluster.peers",
        "{ a = \"127.0.0.1:1\", b = \"127.0.0.1:2\", c = \"127.0.0.1:3\" }");
    flags.put("mailbox.cluster.groups", Integer.toString(groups));
    flags.put("mailbox.payload_bytes", "64KiB");
    flags.put("mailbox.snapshot_bytes", "64KiB");
    flags.put("mailbox.max_attempts", "1000");
    flags.put("mailbox.backoff_max", "1s");
    flags.put("mailbox.shard_count", Integer.toString(SHARDS));
    Settings all = Settings.load(flags, Map.of(), Optional.empty());
    var read = all.read("mailbox", MailboxClusterConfig::read);
    all.check();
    return read.value();
  }

  /** What was agreed on is at the same positions of every journal, byte for byte. */
  static void checkAlike(List<MailboxMachine> machines) throws IOException {
    for (int i = 0; i < machines.getFirst().replicas().size(); i++) {
      int group = i;
      checkAlike(
          group,
          machines.stream().map(each -> each.replicas().get(group).journal().journal()).toList());
    }
  }

  private static void checkAlike(int group, List<? extends Journal> journals) throws IOException {
    long from = journals.stream().mapToLong(Journal::first).max().orElse(0);
    long to =
        journals.stream().mapToLong(each -> each.flushed().value().position()).min().orElse(0);
    List<Journal.Cursor> cursors = journals.stream().map(Journal::cursor).toList();
    for (long at = from; at < to; at++) {
      ByteBuffer one = cursors.getFirst().read(at).duplicate();
      byte[] copy = new byte[one.remaining()];
      one.get(copy);
      for (Journal.Cursor other : cursors.subList(1, cursors.size())) {
        if (!other.read(at).equals(ByteBuffer.wrap(copy))) {
          throw new Violation(
              "machines agree", "record %d of group %d differs".formatted(at, group));
        }
      }
    }
  }
}
