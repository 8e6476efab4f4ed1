package dev.ron.mailbox.disk;

import dev.ron.journal.Appended;
import dev.ron.journal.Flushed;
import dev.ron.journal.Journal;
import dev.ron.journal.Stored;
import dev.ron.kernel.channel.Watch;
import dev.ron.mailbox.core.Fact;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.wire.FactReader;
import dev.ron.mailbox.wire.FactWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The facts of all shards in one journal, so that one flush serves them all.
 *
 * <p>Threading: thread-safe; each shard's facts come from its own loop, snapshots from one task.
 */
public final class MailboxJournal {
  private final Journal journal;
  private final int shardCount;
  private final DiskUse use;
  private final AtomicLong bytesSinceSnapshot = new AtomicLong();

  /** When the history was last cut, and what had been appended by then. */
  private volatile Measured measured = new Measured(0, 0);

  private record Measured(long diskBytes, long appendedBytes) {}

  public MailboxJournal(Journal journal, int shardCount, DiskUse use) {
    this.journal = journal;
    this.shardCount = shardCount;
    this.use = use;
  }

  /** Puts those facts that are to be kept behind all others; never waits. */
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

  /** What the journal takes on disk: measured when its history was cut, counted since. */
  public long diskBytes() {
    Measured last = measured;
    return last.diskBytes() + bytesSinceSnapshot.get() - last.appendedBytes();
  }

  /** Brings all shards to where the journal leads; once, at start. */
  public void recoverAll(List<Shard> shards) throws IOException {
    bytesSinceSnapshot.set(recover(shards));
    measured = new Measured(use.bytes(), bytesSinceSnapshot.get());
  }

  /**
   * Brings new shards to where the journal's flushed facts lead; those not given are left out.
   *
   * @return the bytes read besides the snapshot
   */
  public long recover(List<Shard> shards) throws IOException {
    Map<Integer, Shard> byNumber = new HashMap<>();
    shards.forEach(shard -> byNumber.put(shard.number(), shard));
    Map<Integer, Long> known = new HashMap<>();
    var bytes = new AtomicLong();
    long from = journal.first();
    Optional<Stored> snapshot = journal.newestSnapshot();
    if (snapshot.isPresent()) {
      from = snapshot.get().position();
      read(snapshot.get(), byNumber, known);
    }
    journal.replay(
        from,
        (position, payload) -> {
          bytes.addAndGet(payload.remaining());
          Fact fact = FactReader.decode(payload);
          checkShard(fact.id().shard());
          Shard shard = byNumber.get(fact.id().shard());
          if (shard != null && position >= known.getOrDefault(shard.number(), 0L)) {
            shard.apply(fact);
          }
        });
    return bytes.get();
  }

  private void read(Stored snapshot, Map<Integer, Shard> byNumber, Map<Integer, Long> known)
      throws IOException {
    try (var in = snapshot.open()) {
      SnapshotForm.read(
          in,
          new SnapshotForm.Reader() {
            @Override
            public boolean shard(int number, long position) throws IOException {
              checkShard(number);
              known.put(number, position);
              return byNumber.containsKey(number);
            }

            @Override
            public void fact(int number, Fact fact) {
              Shard shard = byNumber.get(number);
              if (shard != null) {
                shard.apply(fact);
              }
            }
          });
    }
  }

  private void checkShard(int number) throws IOException {
    if (number >= shardCount) {
      throw new IOException(
          "the journal has messages of shard %d and shard_count is %d; set it to what it was"
              .formatted(number, shardCount));
    }
  }

  /**
   * Keeps the state of all shards and lets the history before it go.
   *
   * @param shards all of them, at positions that are flushed
   */
  public void snapshot(List<Captured> shards) throws IOException {
    long before = bytesSinceSnapshot.get();
    long position = shards.stream().mapToLong(Captured::position).min().orElseThrow();
    journal.snapshot(position, out -> SnapshotForm.write(shards, out));
    journal.trim(position);
    measured = new Measured(use.bytes(), bytesSinceSnapshot.addAndGet(-before));
  }
}
