package dev.ron.mailbox.journal;

import dev.ron.journal.FlushPosition;
import dev.ron.journal.Journal;
import dev.ron.journal.StoredSnapshot;
import dev.ron.kernel.channel.Watch;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.state.ShardImage;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The facts of all shards in one journal, so that one flush serves them all.
 *
 * <p>It is also where the messages are: a snapshot keeps the positions of their records, and what
 * it refers to is not trimmed.
 *
 * <p>Threading: thread-safe; each shard's facts come from its own loop, snapshots from one task.
 */
public final class MailboxJournal {
  private final Journal journal;
  private final int shardCount;
  private final DiskUse use;
  private final FactLog facts;

  /** Appended before this is covered by a snapshot; negative after a start that replayed some. */
  private volatile long cutAt;

  private volatile long snapshotBytes;

  /** When the history was last cut, and what had been appended by then. */
  private volatile Measurement measured = new Measurement(0, 0);

  private record Measurement(long diskBytes, long appendedBytes) {}

  /** Makes a shard, new or from an image. */
  @FunctionalInterface
  public interface ShardFactory {
    Shard make(int number, @Nullable ShardImage image);
  }

  public MailboxJournal(Journal journal, int shardCount, DiskUse use) {
    this(journal, shardCount, use, ReplicationMode.ALONE);
  }

  public MailboxJournal(Journal journal, int shardCount, DiskUse use, ReplicationMode replication) {
    this.journal = journal;
    this.shardCount = shardCount;
    this.use = use;
    this.facts = new FactLog(journal, replication);
  }

  /** Where the shards' loops write. */
  public FactLog facts() {
    return facts;
  }

  public ReplicationMode replication() {
    return facts.replication();
  }

  public Watch<FlushPosition> flushed() {
    return journal.flushed();
  }

  public Journal journal() {
    return journal;
  }

  /** What a replay would have to read besides the snapshot. */
  public long bytesSinceSnapshot() {
    return facts.bytes() - cutAt;
  }

  /** The size of the last snapshot. */
  public long snapshotBytes() {
    return snapshotBytes;
  }

  /** What the journal takes on disk: measured when its history was cut, counted since. */
  public long diskBytes() {
    Measurement last = measured;
    return last.diskBytes() + facts.bytes() - last.appendedBytes();
  }

  /**
   * All shards where the journal leads; once, at start. The journal may still tell of shards beyond
   * the count, from before a change of it: they are among them.
   */
  public Map<Integer, Shard> recoverAll(ShardFactory factory) throws IOException {
    List<Integer> counted = IntStream.range(0, shardCount).boxed().toList();
    return recoverAll(counted, _ -> true, factory);
  }

  /** Those shards whose facts are in this journal. */
  public Map<Integer, Shard> recoverAll(List<Integer> numbers, ShardFactory factory)
      throws IOException {
    return recoverAll(numbers, numbers::contains, factory);
  }

  private Map<Integer, Shard> recoverAll(
      List<Integer> numbers, IntPredicate wanted, ShardFactory factory) throws IOException {
    var read = new AtomicLong();
    Map<Integer, Shard> shards = recover(numbers, wanted, factory, read, new AtomicLong());
    long appended = facts.bytes();
    cutAt = appended - read.get();
    measured = new Measurement(use.bytes(), appended);
    return shards;
  }

  /** One shard where the journal's flushed facts lead. */
  public Shard recover(int number, ShardFactory factory) throws IOException {
    return recover(number, factory, new AtomicLong());
  }

  /**
   * @param reached gets the position up to which the shard now knows the journal
   */
  public Shard recover(int number, ShardFactory factory, AtomicLong reached) throws IOException {
    return Objects.requireNonNull(
        recover(List.of(number), each -> each == number, factory, new AtomicLong(), reached)
            .get(number),
        "the shard asked for");
  }

  private Map<Integer, Shard> recover(
      List<Integer> numbers,
      IntPredicate wanted,
      ShardFactory factory,
      AtomicLong bytes,
      AtomicLong reached)
      throws IOException {
    Map<Integer, Shard> shards = new HashMap<>();
    Map<Integer, Long> known = new HashMap<>();
    long from = journal.first();
    Optional<StoredSnapshot> snapshot = journal.newestSnapshot();
    if (snapshot.isPresent()) {
      from = snapshot.get().position();
      read(snapshot.get(), wanted, factory, shards, known);
    }
    for (int number : numbers) {
      shards.computeIfAbsent(number, each -> factory.make(each, null));
    }
    reached.set(
        journal.replay(
            from,
            (position, payload) -> {
              bytes.addAndGet(payload.remaining());
              int number = FactReader.shard(payload);
              if (wanted.test(number) && position >= known.getOrDefault(number, 0L)) {
                shards
                    .computeIfAbsent(number, each -> factory.make(each, null))
                    .apply(FactReader.decode(payload), position);
              }
            }));
    return shards;
  }

  private void read(
      StoredSnapshot snapshot,
      IntPredicate wanted,
      ShardFactory factory,
      Map<Integer, Shard> shards,
      Map<Integer, Long> known)
      throws IOException {
    try (var in = new CountedInput(snapshot.open())) {
      ShardSnapshotCodec.read(
          in,
          wanted,
          captured -> {
            known.put(captured.shard(), captured.position());
            Shard shard = factory.make(captured.shard(), captured.image());
            captured.leases().forEach(lease -> shard.apply(lease, 0));
            shards.put(captured.shard(), shard);
          });
      snapshotBytes = in.count();
    }
  }

  /**
   * Keeps the state of all shards and lets the history before it go, but for the records that
   * messages lie in.
   *
   * @param shards all of them, at positions that are flushed
   * @return the oldest record that is needed
   */
  public long snapshot(List<ShardCapture> shards) throws IOException {
    long before = facts.bytes();
    long position = shards.stream().mapToLong(ShardCapture::position).min().orElseThrow();
    long needed =
        shards.stream()
            .mapToLong(shard -> shard.image().oldestPosition())
            .reduce(position, Math::min);
    journal.snapshot(
        position, needed, out -> snapshotBytes = ShardSnapshotCodec.write(shards, out));
    journal.trim(position);
    cutAt = before;
    measured = new Measurement(use.bytes(), facts.bytes());
    return needed;
  }
}
