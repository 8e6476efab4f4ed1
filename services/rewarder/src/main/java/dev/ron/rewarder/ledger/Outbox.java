package dev.ron.rewarder.ledger;

import dev.ron.journal.AppendResult;
import dev.ron.journal.Durability;
import dev.ron.journal.Journal;
import dev.ron.journal.JournalException;
import dev.ron.journal.StoredSnapshot;
import dev.ron.kernel.lock.RankedLock;
import dev.ron.kernel.registry.Registry;
import dev.ron.kernel.time.Deadline;
import dev.ron.rewarder.core.payout.Settlements;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How far each run is settled, in a journal.
 *
 * <p>Threading: written by the emitter alone, read by any thread; {@code lock} guards what is
 * known. A snapshot at a position has to hold everything before it, and of two writers the slower
 * may have a record in the journal that is not yet known here: {@code writing} finds such a second
 * writer.
 */
public final class Outbox {
  private static final int RANK = 300;
  private static final byte VERSION = 1;
  private static final int KEY_BYTES = 32;

  /** A snapshot is made after this many records. */
  private static final long HISTORY_MAX = 65_536;

  private final Journal journal;
  private final RankedLock lock;
  private final Settlements settlements = new Settlements();
  private final AtomicBoolean writing = new AtomicBoolean();
  private final long historyMax;
  private long snapshotAt;

  private Outbox(Journal journal, Registry registry, long historyMax) {
    this.journal = journal;
    this.historyMax = historyMax;
    this.lock = new RankedLock(registry, "outbox", RANK);
  }

  public static Outbox recover(Journal journal, Registry registry) throws IOException {
    return recover(journal, registry, HISTORY_MAX);
  }

  static Outbox recover(Journal journal, Registry registry, long historyMax) throws IOException {
    var outbox = new Outbox(journal, registry, historyMax);
    long from = journal.first();
    Optional<StoredSnapshot> snapshot = journal.newestSnapshot();
    if (snapshot.isPresent()) {
      from = snapshot.get().position();
      try (var in = new DataInputStream(snapshot.get().open())) {
        for (int left = in.readInt(); left > 0; left--) {
          outbox.settlements.apply(decode(ByteBuffer.wrap(in.readNBytes(in.readInt()))));
        }
      }
    }
    outbox.snapshotAt = from;
    journal.replay(from, (_, record) -> outbox.settlements.apply(decode(record)));
    return outbox;
  }

  /** Returns when the disk has it. */
  public void record(Settlements.Progress progress) throws IOException, InterruptedException {
    if (!writing.compareAndSet(false, true)) {
      throw new IllegalStateException("two writers of the outbox");
    }
    try {
      append(progress);
    } finally {
      writing.set(false);
    }
  }

  private void append(Settlements.Progress progress) throws IOException, InterruptedException {
    long next =
        switch (journal.append(List.of(encode(progress)))) {
          case AppendResult.Taken taken -> taken.next();
          case AppendResult.Refused refused -> throw new JournalException(refused.fault());
        };
    switch (journal.await(next, Deadline.NEVER)) {
      case Durability.Durable _ -> {}
      case Durability.Unknown unknown -> throw new JournalException(unknown.fault());
      case Durability.Late _ -> throw new IllegalStateException("late without a deadline");
    }
    lock.run(() -> settlements.apply(progress));
    if (next - snapshotAt > historyMax) {
      snapshot(next);
    }
  }

  private void snapshot(long position) throws IOException {
    List<Settlements.Progress> all = lock.call(settlements::all);
    journal.snapshot(
        position,
        out -> {
          var data = new DataOutputStream(out);
          data.writeInt(all.size());
          for (Settlements.Progress each : all) {
            byte[] bytes = encode(each).array();
            data.writeInt(bytes.length);
            data.write(bytes);
          }
          data.flush();
        });
    journal.trim(position);
    snapshotAt = position;
  }

  public Optional<Settlements.Progress> of(String runKey) {
    return lock.call(() -> settlements.of(runKey));
  }

  private static ByteBuffer encode(Settlements.Progress progress) {
    byte[] key = HexFormat.of().parseHex(progress.runKey());
    return ByteBuffer.allocate(1 + KEY_BYTES + 2 * Long.BYTES)
        .put(VERSION)
        .put(key)
        .putLong(progress.next())
        .putLong(progress.lines())
        .flip();
  }

  private static Settlements.Progress decode(ByteBuffer record) throws IOException {
    byte version = record.hasRemaining() ? record.get() : 0;
    if (record.remaining() != KEY_BYTES + 2 * Long.BYTES || version != VERSION) {
      throw new IOException(
          "a record of the outbox of version %d, known is %d".formatted(version, VERSION));
    }
    byte[] key = new byte[KEY_BYTES];
    record.get(key);
    return new Settlements.Progress(
        HexFormat.of().formatHex(key), record.getLong(), record.getLong());
  }
}
