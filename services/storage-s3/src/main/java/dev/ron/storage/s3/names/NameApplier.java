package dev.ron.storage.s3.names;

import dev.ron.ordered.OrderedStore;
import dev.ron.storage.s3.core.ObjectVersion;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Brings commands into the rows in the order of their log, whatever keeps the log.
 *
 * <p>Every command has a position of its own, above that of the one before. The rows say up to
 * which they are, so a log that is read again goes on behind it.
 *
 * <p>Threading: owned by the thread that reads the log.
 */
public final class NameApplier {
  private final NameTable table;
  private final NameMachine machine;
  private final Tally tally;

  /**
   * @param memory told of what it changes, and that the rows may be others than before
   * @param versions told of the bytes it changes; null if they are not counted here
   */
  NameApplier(OrderedStore store, RowMemory memory, NameTable.@Nullable StoredVersions versions) {
    memory.forget();
    this.table = new NameTable(store, memory, versions);
    this.machine = new NameMachine(table);
    this.tally = new Tally(table);
  }

  /** The position of the last command that was decided, or -1. */
  public long decided() {
    return table.decided();
  }

  NameOutcome decide(NameCommand command, long position) {
    return decide(command, NameMachine.NO_BURIALS, position);
  }

  /**
   * Decides the next command; others see what follows after {@link #bringIn}.
   *
   * @param since as {@link NameRequest#since}
   */
  public NameOutcome decide(NameCommand command, long since, long position) {
    // The first position is 0, and a sequence that is 0 is a draft's.
    long sequence = position + 1;
    NameDecision decision =
        machine.decide(command, since == Long.MAX_VALUE ? since : since + 1, sequence);
    tally.count(decision, command);
    table.take(decision, position);
    return decision.outcome();
  }

  /** A row as the next command sees it. */
  public Optional<byte[]> row(byte[] key) {
    return table.row(key);
  }

  /** Notes something besides commands, together with all before it. */
  public void note(byte[] key, byte[] value, long position) {
    table.take(new NameDecision().put(key, value), position);
  }

  /** Makes everything decided visible to all. */
  public void bringIn() {
    table.bringIn();
  }

  /**
   * Counts the bytes that each owner has stored, in rows that change together with what they count:
   * after a crash they are as right as the rest, and a request that asks reads one row.
   *
   * <p>Rows from before there was a count are counted once, with the first command.
   */
  static final class Tally {
    private final NameRows rows;

    Tally(NameRows rows) {
      this.rows = rows;
    }

    void count(NameDecision decision, NameCommand command) {
      if (decision.changes().isEmpty()) {
        return;
      }
      Map<String, Long> more = new HashMap<>();
      if (rows.row(RowKeys.storedCounted()).isEmpty()) {
        countAll(more);
        decision.put(RowKeys.storedCounted(), new byte[] {1});
      }
      Map<ByteBuffer, Optional<byte[]>> seen = new HashMap<>();
      for (NameDecision.Change change : List.copyOf(decision.changes())) {
        change(change, seen, decision, more);
      }
      if (command instanceof NameCommand.PutPart put) {
        part(put, decision, more);
      }
      more.forEach((owner, bytes) -> add(RowKeys.stored(owner), bytes, decision));
    }

    private void change(
        NameDecision.Change change,
        Map<ByteBuffer, Optional<byte[]>> seen,
        NameDecision decision,
        Map<String, Long> more) {
      byte table = change.key()[0];
      boolean ends = table == RowKeys.UPLOAD && change.value() == null;
      if (table != RowKeys.OBJECT && table != RowKeys.VERSION && !ends) {
        return;
      }
      Optional<byte[]> before =
          seen.getOrDefault(ByteBuffer.wrap(change.key()), rows.row(change.key()));
      if (ends) {
        byte[] open = RowKeys.storedOpen(RowKeys.uploadOf(change.key()));
        before.ifPresent(row -> more.merge(RowCodec.upload(row).owner(), -bytes(open), Long::sum));
        decision.delete(open);
        return;
      }
      before.ifPresent(row -> version(row, -1, more));
      Optional<byte[]> after = Optional.ofNullable(change.value());
      after.ifPresent(row -> version(row, 1, more));
      seen.put(ByteBuffer.wrap(change.key()), after);
    }

    private static void version(byte[] row, int sign, Map<String, Long> more) {
      ObjectVersion version = RowCodec.version(row);
      more.merge(version.owner(), sign * version.sizeBytes(), Long::sum);
    }

    /** A part of an open upload; the last one of its number counts. */
    private void part(NameCommand.PutPart put, NameDecision decision, Map<String, Long> more) {
      Optional<byte[]> upload = rows.row(RowKeys.upload(put.bucket(), put.key(), put.upload()));
      if (upload.isPresent() && !(decision.outcome() instanceof NameOutcome.Refused)) {
        long before =
            rows.row(RowKeys.part(put.upload(), put.part().number()))
                .map(row -> RowCodec.part(row).sizeBytes())
                .orElse(0L);
        long bytes = put.part().sizeBytes() - before;
        add(RowKeys.storedOpen(put.upload()), bytes, decision);
        more.merge(RowCodec.upload(upload.get()).owner(), bytes, Long::sum);
      }
    }

    private void add(byte[] key, long bytes, NameDecision decision) {
      if (bytes != 0) {
        long sum = Math.max(0, bytes(key) + bytes);
        decision.put(key, ByteBuffer.allocate(Long.BYTES).putLong(sum).array());
      }
    }

    private long bytes(byte[] key) {
      return rows.row(key).map(row -> ByteBuffer.wrap(row).getLong()).orElse(0L);
    }

    private void countAll(Map<String, Long> more) {
      for (byte table : new byte[] {RowKeys.OBJECT, RowKeys.VERSION}) {
        rows.scan(
            new byte[] {table},
            new byte[] {(byte) (table + 1)},
            row -> {
              version(row.value(), 1, more);
              return true;
            });
      }
    }
  }
}
