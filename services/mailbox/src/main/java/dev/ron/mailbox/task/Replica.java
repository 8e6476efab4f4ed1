package dev.ron.mailbox.task;

import dev.ron.journal.Appended;
import dev.ron.journal.Durability;
import dev.ron.journal.FileJournal;
import dev.ron.journal.Flushed;
import dev.ron.journal.JournalFault;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.lock.RankedLock;
import dev.ron.kernel.time.Deadline;
import dev.ron.mailbox.core.Fact;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.disk.DiskUse;
import dev.ron.mailbox.disk.MailboxJournal;
import dev.ron.mailbox.disk.Standing;
import dev.ron.mailbox.wire.EntryForm;
import dev.ron.mailbox.wire.FactReader;
import dev.ron.mailbox.wire.Question;
import dev.ron.raft.Entry;
import dev.ron.raft.Machine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * The shards of one group on this machine.
 *
 * <p>What the machines agreed on goes to this machine's own journal, at the same positions on all
 * of them, and from there to the shards. The shared log is needed only until that journal is
 * flushed; messages are read, snapshots taken and history trimmed as on a machine alone.
 *
 * <p>An entry counts only if its first fact is the next one. A leader whose proposal was refused
 * and whose later one was not leaves a gap; all machines pass over what is behind it. Nor does one
 * count that was decided in an earlier reign and came to the log in a later: it would take the
 * place of what the later one decided.
 *
 * <p>Threading: as {@link Machine} says; {@code reign} changes with a leader's term.
 */
final class Replica implements Machine, Standing {
  private static final int RANK = 890;

  /** Held while a reign begins or ends. */
  private static final int CHANGE_RANK = 880;

  private static final int REPLAYED_MAX = 256;
  private static final Duration HOLD = Duration.ofSeconds(30);
  private static final Duration FLUSH_LIMIT = Duration.ofSeconds(30);

  private final Scope scope;
  private final int group;
  private final List<Integer> shards;
  private final FileJournal local;
  private final MailboxJournal journal;
  private final RankedLock lock;
  private final RankedLock change;
  private final int shardCount;
  private final Watch<Optional<Reign>> reigns;
  private final AtomicLong changes = new AtomicLong();
  private final Map<Integer, Channel<Replayed>> channels = new TreeMap<>();
  private volatile Function<ByteBuffer, CompletableFuture<byte[]>> answering =
      _ -> CompletableFuture.failedFuture(new IOException("not ready"));

  /** The position after the last fact that the machines agreed on. */
  private volatile long cursor;

  /** The position after the last fact in this machine's own journal; ahead after a restart only. */
  private long localNext;

  private volatile Asking asking =
      (_, _) -> {
        throw new IOException("not open yet");
      };
  private volatile Instant heldUntil = Instant.MIN;
  private volatile long term;
  private volatile long index;

  Replica(
      Scope scope,
      int group,
      List<Integer> shards,
      FileJournal local,
      int shardCount,
      DiskUse use) {
    this.scope = scope;
    this.group = group;
    this.shards = List.copyOf(shards);
    this.local = local;
    this.localNext = local.recovered().next();
    this.shardCount = shardCount;
    this.journal = new MailboxJournal(local, shardCount, use, this);
    this.lock = new RankedLock(scope.registry(), "reign-" + group, RANK);
    this.change = new RankedLock(scope.registry(), "reigns-" + group, CHANGE_RANK);
    this.reigns = Watch.of(scope, "reigns-" + group, Optional.empty());
    for (int shard : shards) {
      channels.put(
          shard, Channel.bounded(scope, "replayed-" + shard, REPLAYED_MAX, Overflow.AWAIT));
    }
  }

  int group() {
    return group;
  }

  List<Integer> shards() {
    return shards;
  }

  MailboxJournal journal() {
    return journal;
  }

  int shardCount() {
    return shardCount;
  }

  Channel<Replayed> replayed(int shard) {
    return Objects.requireNonNull(channels.get(shard), "a shard of this group");
  }

  /** Who leads here; empty when that is another machine. */
  Watch<Optional<Reign>> reign() {
    return reigns;
  }

  /** Everything before this was handed to the shards. */
  long cursor() {
    return cursor;
  }

  void answering(Function<ByteBuffer, CompletableFuture<byte[]>> answers) {
    answering = answers;
  }

  // ---- what Raft says

  @Override
  public void start(byte[] kept, long lastTerm, long lastIndex) throws IOException {
    term = lastTerm;
    index = lastIndex;
    cursor = kept.length == 0 ? 0 : ByteBuffer.wrap(kept).getLong();
    if (localNext < cursor) {
      throw new IOException(
          "the journal of group %d ends at %d and the log begins at %d: empty the folder and join again"
              .formatted(group, localNext, cursor));
    }
  }

  @Override
  public void apply(Entry entry) throws IOException, InterruptedException {
    EntryForm form = EntryForm.decode(entry.bytes());
    Reign reign = reigns.value().orElse(null);
    if (reign != null && entry.term() != reign.term()) {
      // Before a fact of another leader is in the journal; see SnapshotTask.
      follow();
    }
    term = entry.term();
    index = entry.index();
    if (form.term() != entry.term() || form.first() != cursor) {
      scope.log().warn("entry-void", "group", group, "index", index, "first", form.first());
      return;
    }
    if (form.next() > localNext) {
      int known = Math.toIntExact(Math.max(0, localNext - form.first()));
      List<ByteBuffer> news = form.records().subList(known, form.records().size());
      append(news);
      hand(localNext, news);
      localNext = form.next();
    }
    cursor = form.next();
    if (reign != null && entry.term() == reign.term()) {
      reign.committed(cursor);
    }
  }

  /** Waits while the disk is behind. */
  private void append(List<ByteBuffer> records) throws IOException, InterruptedException {
    while (true) {
      Watch.Version<Flushed> seen = local.flushed().latest();
      switch (journal.appendWritten(records)) {
        case Appended.Taken taken -> {
          if (taken.first() != localNext) {
            throw new IOException("fact %d is %d here".formatted(localNext, taken.first()));
          }
          return;
        }
        case Appended.Refused(JournalFault.Busy busy) ->
            local.flushed().await(seen, Deadline.in(busy.rest().multipliedBy(20), scope.time()));
        case Appended.Refused(JournalFault fault) -> throw new IOException(fault.detail());
      }
    }
  }

  private void hand(long first, List<ByteBuffer> records) throws IOException, InterruptedException {
    Map<Integer, List<Replayed.At>> byShard = new TreeMap<>();
    long position = first;
    for (ByteBuffer record : records) {
      byShard
          .computeIfAbsent(FactReader.shard(record), _ -> new ArrayList<>())
          .add(new Replayed.At(position++, record));
    }
    for (Map.Entry<Integer, List<Replayed.At>> each : byShard.entrySet()) {
      if (!(replayed(each.getKey()).send(new Replayed(each.getValue(), false), Deadline.NEVER)
          instanceof SendResult.Sent)) {
        throw new IOException("the mailbox is shutting down");
      }
    }
  }

  @Override
  public void lead(long newTerm) {
    if (localNext > cursor) {
      throw new IllegalStateException(
          "the journal of group %d knows %d facts and the log %d"
              .formatted(group, localNext, cursor));
    }
    String name = "group %d, term %d".formatted(group, newTerm);
    change.run(
        () -> {
          end();
          reigns.set(Optional.of(new Reign(scope, name, newTerm, lock, cursor)));
        });
    scope.log().info("lead", "group", group, "term", newTerm, "position", cursor);
  }

  @Override
  public void follow() {
    change.run(this::end);
  }

  /** Ends a reign that cannot go on, though this machine may still be Raft's leader. */
  void abdicate(Reign reign) {
    change.run(
        () -> {
          if (reigns.value().filter(now -> now == reign).isPresent()) {
            end();
          }
        });
  }

  private void end() {
    changes.incrementAndGet();
    reigns
        .value()
        .ifPresent(
            reign -> {
              reign.end();
              reigns.set(Optional.empty());
              scope.log().info("follow", "group", group, "term", reign.term());
            });
  }

  @Override
  public byte[] keep() throws IOException {
    flush(localNext);
    return ByteBuffer.allocate(Long.BYTES).putLong(cursor).array();
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

  @Override
  public CompletableFuture<byte[]> answer(ByteBuffer question) {
    return answering.apply(question);
  }

  /** Only into an empty journal: what is in one that is not may never have been agreed on. */
  @Override
  public Fetched fetch(String leader) throws IOException, InterruptedException {
    if (localNext != 0) {
      throw new IOException(
          "the log that group %d needs is gone: empty this machine's folder and join again"
              .formatted(group));
    }
    StateCopy.Head head =
        StateCopy.into(
            local,
            part -> asking.ask(leader, Question.encode(part, null)),
            records -> {
              localNext = Math.max(localNext, local.first());
              append(records);
              localNext += records.size();
            },
            this);
    localNext = head.next();
    for (int shard : shards) {
      if (!(replayed(shard).send(Replayed.ANEW, Deadline.NEVER) instanceof SendResult.Sent)) {
        throw new IOException("the mailbox is shutting down");
      }
    }
    scope.log().info("fetched", "group", group, "from", leader, "records", localNext);
    return new Fetched(
        head.term(), head.index(), ByteBuffer.allocate(Long.BYTES).putLong(head.next()).array());
  }

  /** Asks one machine of the group; set when there are machines to ask. */
  @FunctionalInterface
  interface Asking {
    byte[] ask(String machine, byte[] question) throws IOException, InterruptedException;
  }

  void asking(Asking how) {
    asking = how;
  }

  @Override
  public void pass(long newTerm, long newIndex) {
    term = newTerm;
    index = newIndex;
  }

  long term() {
    return term;
  }

  long index() {
    return index;
  }

  /** A part of the state is on its way: no snapshot and no trim for a while. */
  void hold() {
    heldUntil = scope.time().now().plus(HOLD);
  }

  @Override
  public boolean held() {
    return scope.time().now().isBefore(heldUntil);
  }

  // ---- how the journal stands

  @Override
  public boolean keeps(Fact fact) {
    return fact.shared();
  }

  @Override
  public List<Fact.Leased> leases(Shard shard) {
    return shard.leases();
  }

  @Override
  public boolean decides() {
    return reigns.value().isPresent();
  }

  @Override
  public long reigns() {
    return changes.get();
  }
}
