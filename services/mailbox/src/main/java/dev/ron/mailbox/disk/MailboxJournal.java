package dev.ron.mailbox.disk;

import dev.ron.journal.Appended;
import dev.ron.journal.Flushed;
import dev.ron.journal.Journal;
import dev.ron.journal.Stored;
import dev.ron.kernel.channel.Watch;
import dev.ron.mailbox.core.Fact;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.ShardImage;
import dev.ron.mailbox.wire.FactReader;
import dev.ron.mailbox.wire.FactWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
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
  private final AtomicLong bytesSinceSnapshot = new AtomicLong();
  private volatile long snapshotBytes;

  /** When the history was last cut, and what had been appended by then. */
  private volatile Measured measured = new Measured(0, 0);

  private record Measured(long diskBytes, long appendedBytes) {}

  /** Makes a shard, new or from an image. */
  @FunctionalInterface
  public interface Making {
    Shard make(int number, @Nullable ShardImage image);
  }

  public MailboxJournal(Journal journal, int shardCount, DiskUse use) {
    this.journal = journal;
    this.shardCount = shardCount;
    this.use = use;
  }

  /** Puts those facts that are to be kept behind all others, in their order; never waits. */
  public Appended append(List<Fact> facts) {
    var records = new ArrayList<ByteBuffer>(facts.size());
    long bytes = 0;
    for (Fact fact : facts) {
      if (fact.kept()) {
        ByteBuffer record = FactWriter.encode(fact);
        bytes += record.remaining();
        records.add(record);
      }
    }
    Appended answer = journal.append(records);
    if (answer instanceof Appended.Taken) {
      bytesSinceSnapshot.addAndGet(bytes);
    }
    return answer;
  }

  public Watch<Flushed> flushed() {
    return journal.flushed();
  }

  public Journal journal() {
    return journal;
  }

  /** What a replay would have to read besides the snapshot. */
  public long bytesSinceSnapshot() {
    return bytesSinceSnapshot.get();
  }

  /** The size of the last snapshot. */
  public long snapshotBytes() {
    return snapshotBytes;
  }

  /** What the journal takes on disk: measured when its history was cut, counted since. */
  public long diskBytes() {
    Measured last = measured;
    return last.diskBytes() + bytesSinceSnapshot.get() - last.appendedBytes();
  }

  /**
   * All shards where the journal leads; once, at start. The journal may still tell of shards beyond
   * the count, from before a change of it: they are among them.
   */
  public Map<Integer, Shard> recoverAll(Making making) throws IOException {
    Map<Integer, Shard> shards = new HashMap<>();
    for (int i = 0; i < shardCount; i++) {
      shards.put(i, making.make(i, null));
    }
    var read = new AtomicLong();
    recover(shards, _ -> true, making, read);
    bytesSinceSnapshot.set(read.get());
    measured = new Measured(use.bytes(), bytesSinceSnapshot.get());
    return shards;
  }

  /** One shard where the journal's flushed facts lead. */
  public Shard recover(int number, Making making) throws IOException {
    Map<Integer, Shard> shards = new HashMap<>();
    shards.put(number, making.make(number, null));
    recover(shards, each -> each == number, making, new AtomicLong());
    return Objects.requireNonNull(shards.get(number), "the shard asked for");
  }

  private void recover(
      Map<Integer, Shard> shards, IntPredicate wanted, Making making, AtomicLong bytes)
      throws IOException {
    Map<Integer, Long> known = new HashMap<>();
    long from = journal.first();
    Optional<Stored> snapshot = journal.newestSnapshot();
    if (snapshot.isPresent()) {
      from = snapshot.get().position();
      try (var in = new CountedInput(snapshot.get().open())) {
        SnapshotForm.read(
            in,
            wanted,
            captured -> {
              known.put(captured.shard(), captured.position());
              shards.put(captured.shard(), making.make(captured.shard(), captured.image()));
            });
        snapshotBytes = in.count();
      }
    }
    journal.replay(
        from,
        (position, payload) -> {
          bytes.addAndGet(payload.remaining());
          int number = FactReader.shard(payload);
          if (wanted.test(number) && position >= known.getOrDefault(number, 0L)) {
            shards
                .computeIfAbsent(number, each -> making.make(each, null))
                .apply(FactReader.decode(payload), position);
          }
        });
  }

  /**
   * Keeps the state of all shards and lets the history before it go, but for the records that
   * messages lie in.
   *
   * @param shards all of them, at positions that are flushed
   * @return the oldest record that is needed
   */
  public long snapshot(List<Captured> shards) throws IOException {
    long before = bytesSinceSnapshot.get();
    long position = shards.stream().mapToLong(Captured::position).min().orElseThrow();
    long needed =
        shards.stream()
            .mapToLong(shard -> shard.image().oldestPosition())
            .reduce(position, Math::min);
    journal.snapshot(position, needed, out -> snapshotBytes = SnapshotForm.write(shards, out));
    journal.trim(position);
    measured = new Measured(use.bytes(), bytesSinceSnapshot.addAndGet(-before));
    return needed;
  }
}
