package dev.ron.mailbox.cluster.replica;

import dev.ron.journal.AppendResult;
import dev.ron.journal.Durability;
import dev.ron.journal.FlushPosition;
import dev.ron.journal.JournalFault;
import dev.ron.journal.file.FileJournal;
import dev.ron.journal.file.FlushTask;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.time.Deadline;
import dev.ron.mailbox.journal.FactReader;
import dev.ron.mailbox.journal.MailboxJournal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * This machine's own journal of a group, and the way from it to the shards.
 *
 * <p>Threading: owned by the thread that applies what was agreed on; {@code replayed} and {@code
 * flush} from any thread.
 */
final class ReplicaJournal {
  private static final int REPLAYED_MAX = 256;
  private static final Duration FLUSH_LIMIT = Duration.ofSeconds(30);

  private final Scope scope;
  private final int group;
  private final FileJournal local;
  private final MailboxJournal journal;
  private final Map<Integer, Channel<ReplayBatch>> channels = new TreeMap<>();

  /** Ahead of what is agreed on after a restart only. */
  private long next;

  /** From the first part of another machine's journal to the last. */
  private boolean copying;

  ReplicaJournal(
      Scope scope, int group, List<Integer> shards, FileJournal local, MailboxJournal journal) {
    this.scope = scope;
    this.group = group;
    this.local = local;
    this.journal = journal;
    this.next = local.recovered().next();
    for (int shard : shards) {
      channels.put(
          shard, Channel.bounded(scope, "replayed-" + shard, REPLAYED_MAX, Overflow.AWAIT));
    }
  }

  FlushTask flushTask() {
    return local.flushTask();
  }

  /** The position after the last fact in it. */
  long next() {
    return next;
  }

  Channel<ReplayBatch> replayed(int shard) {
    return Objects.requireNonNull(channels.get(shard), "a shard of this group");
  }

  /** Takes what it has not got yet, and hands that to the shards. */
  void take(long first, List<ByteBuffer> records) throws IOException, InterruptedException {
    int known = Math.toIntExact(Math.clamp(next - first, 0, records.size()));
    List<ByteBuffer> news = records.subList(known, records.size());
    if (!news.isEmpty()) {
      append(news);
      hand(next, news);
      next += news.size();
    }
  }

  /** Waits while the disk is behind. */
  private void append(List<ByteBuffer> records) throws IOException, InterruptedException {
    while (true) {
      Watch.Version<FlushPosition> seen = local.flushed().latest();
      switch (journal.facts().appendWritten(records)) {
        case AppendResult.Taken taken -> {
          if (taken.first() != next) {
            throw new IOException("fact %d is %d here".formatted(next, taken.first()));
          }
          return;
        }
        case AppendResult.Refused(JournalFault.Busy busy) ->
            local.flushed().await(seen, Deadline.in(busy.rest().multipliedBy(20), scope.time()));
        case AppendResult.Refused(JournalFault fault) -> throw new IOException(fault.detail());
      }
    }
  }

  private void hand(long first, List<ByteBuffer> records) throws IOException, InterruptedException {
    Map<Integer, List<ReplayBatch.At>> byShard = new TreeMap<>();
    long position = first;
    for (ByteBuffer record : records) {
      byShard
          .computeIfAbsent(FactReader.shard(record), _ -> new ArrayList<>())
          .add(new ReplayBatch.At(position++, record));
    }
    for (Map.Entry<Integer, List<ReplayBatch.At>> each : byShard.entrySet()) {
      send(each.getKey(), new ReplayBatch(each.getValue(), false));
    }
  }

  private void send(int shard, ReplayBatch replayed) throws IOException, InterruptedException {
    if (!(replayed(shard).send(replayed, Deadline.NEVER) instanceof SendResult.Sent)) {
      throw new IOException("the mailbox is shutting down");
    }
  }

  /** Whether a copy was begun and not finished, so that all there is came from it. */
  boolean copying() {
    return copying;
  }

  /** Takes another machine's state into an empty journal; the shards are read from it anew. */
  StateTransfer.Head copy(StateTransfer.PeerCall leader, Replica replica)
      throws IOException, InterruptedException {
    copying = true;
    StateTransfer.Head head = StateTransfer.into(local, next, leader, this::appendCopied, replica);
    next = head.next();
    copying = false;
    for (int shard : channels.keySet()) {
      send(shard, ReplayBatch.ANEW);
    }
    return head;
  }

  private void appendCopied(List<ByteBuffer> records) throws IOException, InterruptedException {
    next = Math.max(next, local.first());
    append(records);
    next += records.size();
  }

  void flush(long position) throws IOException {
    try {
      Deadline deadline = Deadline.in(FLUSH_LIMIT, scope.time());
      if (!(local.await(position, deadline) instanceof Durability.Durable)) {
        throw new IOException("the journal of group " + group + " was not flushed");
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IOException("stopped while the journal was flushed", stop);
    }
  }
}
