package dev.ron.mailbox.shard;

import dev.ron.journal.FlushPosition;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.mailbox.MailboxMetrics;
import dev.ron.mailbox.journal.MailboxJournal;
import dev.ron.mailbox.journal.ShardCapture;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Replaces history by state once the history outgrows it, so that a recovery reads what lives; and
 * has the oldest messages written down anew when they hold on to a journal that is mostly past.
 *
 * <p>The shards are captured one after the other without stopping the rest; the snapshot is written
 * when the disk has everything that any of them knows.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class SnapshotTask implements Task {
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** A shard that has not answered by then failed on the way; the round begins anew. */
  private static final Duration ROUND_LIMIT = Duration.ofSeconds(30);

  private final Scope scope;
  private final List<ShardSlot> slots;
  private final MailboxJournal journal;
  private final MailboxMetrics metrics;
  private final SnapshotPolicy rules;
  private final Channel<ShardCapture> captures;
  private final JournalCompaction compaction;
  private final Map<Integer, ShardCapture> gathered = new TreeMap<>();
  private boolean gathering;
  private long termChanges;

  /** Snapshots to take whatever the history: what was carried frees its old place with the last. */
  private int due;

  private Instant roundEnd = Instant.MIN;

  public SnapshotTask(
      Scope scope,
      List<ShardSlot> slots,
      MailboxJournal journal,
      MailboxMetrics metrics,
      SnapshotPolicy rules,
      Channel<ShardCapture> captures) {
    this.scope = scope;
    this.slots = slots;
    this.journal = journal;
    this.metrics = metrics;
    this.rules = rules;
    this.captures = captures;
    this.compaction = new JournalCompaction(scope, slots, journal, rules);
  }

  /** Two rounds' worth; what a round that was given up still brings is passed over. */
  public static Channel<ShardCapture> captures(Scope scope, String name, int shards) {
    return Channel.bounded(scope, name, 2 * shards, Overflow.REJECT_NEW);
  }

  @Override
  public Next run(Instant now) throws IOException {
    if (!gathering) {
      if (journal.replication().held()) {
        return Next.at(now.plus(LOOK_EVERY));
      }
      if (compaction.busy()) {
        Next next = compaction.step(now);
        due = compaction.busy() ? 0 : rules.kept();
        return next;
      }
      long enough =
          Math.min(Math.max(rules.historyMin(), journal.snapshotBytes()), rules.historyMax());
      if ((due == 0 && journal.bytesSinceSnapshot() < enough) || !askAll(now)) {
        return Next.at(now.plus(LOOK_EVERY));
      }
    }
    Watch.Version<FlushPosition> seen = journal.flushed().latest();
    for (ShardCapture one : captures.receiveBatch(slots.size())) {
      gathered.put(one.shard(), one);
    }
    if (!now.isBefore(roundEnd)) {
      gathering = false;
      return Next.at(now.plus(LOOK_EVERY));
    }
    if (gathered.size() < slots.size()) {
      return Next.await(captures, roundEnd);
    }
    long newest = gathered.values().stream().mapToLong(ShardCapture::position).max().orElseThrow();
    if (newest > seen.value().position()) {
      return Next.await(journal.flushed().after(seen), roundEnd);
    }
    if (journal.replication().termChanges() != termChanges) {
      gathering = false;
      return Next.at(now.plus(LOOK_EVERY));
    }
    write(now);
    return Next.at(now.plus(LOOK_EVERY));
  }

  private boolean askAll(Instant now) {
    termChanges = journal.replication().termChanges();
    gathered.clear();
    captures.receiveBatch(2 * slots.size());
    for (ShardSlot slot : slots) {
      if (!(slot.inbox().trySend(new ShardRequest.Capture(captures)) instanceof SendResult.Sent)) {
        return false;
      }
    }
    gathering = true;
    roundEnd = now.plus(ROUND_LIMIT);
    return true;
  }

  private void write(Instant now) throws IOException {
    gathering = false;
    due = Math.max(0, due - 1);
    List<ShardCapture> all = List.copyOf(gathered.values());
    gathered.clear();
    long needed = journal.snapshot(all);
    if (due == 0) {
      compaction.plan(all, needed);
    }
    double seconds = Duration.between(now, scope.time().now()).toNanos() / 1e9;
    metrics.snapshotSeconds().observe(seconds);
    scope
        .log()
        .info("snapshot", "bytes", journal.snapshotBytes(), "seconds", seconds, "needed", needed);
  }
}
