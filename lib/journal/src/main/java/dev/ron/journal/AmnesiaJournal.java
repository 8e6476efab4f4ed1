package dev.ron.journal;

import dev.ron.journal.file.Frame;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.lock.RankedLock;
import dev.ron.kernel.registry.ChannelRow;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Amnesia: a journal that is as durable as the process.
 *
 * <p>A record counts as flushed when it is appended. Memory is bounded; when it is full, appends
 * are refused until a snapshot and a trim make room. Only the newest snapshot is kept: memory does
 * not rot, and an older one would hold the records that a full log has to let go.
 *
 * <p>Threading: as {@link Journal} says; {@code lock} guards the records and the snapshots.
 */
public final class AmnesiaJournal implements Journal {
  private static final int RANK = 900;
  private static final Duration REST = Duration.ofSeconds(1);

  private final JournalSettings settings;
  private final RankedLock lock;
  private final Watch<FlushPosition> flushed;
  private final TreeMap<Long, ByteBuffer> records = new TreeMap<>();
  private Optional<Kept> newest = Optional.empty();
  private long first;
  private long next;
  private long bytes;

  private record Kept(StoredSnapshot snapshot, long oldest) {}

  /**
   * @param settings of which the name, the largest record and {@code segmentBytes}, here the limit
   *     of all records together, are used
   */
  public AmnesiaJournal(Scope scope, JournalSettings settings) {
    this.settings = settings;
    this.lock = new RankedLock(scope.registry(), settings.name() + "-records", RANK);
    this.flushed = Watch.of(scope, settings.name() + "-flushed", FlushPosition.upTo(0));
    scope.registry().channel(this::row, () -> 0);
  }

  @Override
  public AppendResult append(List<ByteBuffer> payloads) {
    long needed = 0;
    for (ByteBuffer payload : payloads) {
      if (!payload.hasRemaining()) {
        throw new IllegalArgumentException("an empty record");
      }
      if (payload.remaining() > settings.recordBytesMax()) {
        return new AppendResult.Refused(
            new JournalFault.TooLarge(payload.remaining(), settings.recordBytesMax()));
      }
      needed += Frame.bytes(payload.remaining());
    }
    if (needed > settings.bufferBytes()) {
      return new AppendResult.Refused(new JournalFault.TooLarge(needed, settings.bufferBytes()));
    }
    long enough = needed;
    return lock.call(() -> put(payloads, enough));
  }

  private AppendResult put(List<ByteBuffer> payloads, long needed) {
    if (bytes + needed > settings.segmentBytes()) {
      return new AppendResult.Refused(
          new JournalFault.Busy(settings.name(), settings.segmentBytes(), REST));
    }
    long from = next;
    for (ByteBuffer payload : payloads) {
      records.put(next++, ByteBuffer.allocate(payload.remaining()).put(payload.duplicate()).flip());
    }
    bytes += needed;
    // Under the lock, so that positions are published in their order.
    flushed.set(FlushPosition.upTo(next));
    return new AppendResult.Taken(from, next);
  }

  @Override
  public Watch<FlushPosition> flushed() {
    return flushed;
  }

  @Override
  public long first() {
    return lock.call(() -> first);
  }

  @Override
  public long replay(long from, RecordConsumer consumer) throws IOException {
    long limit = flushed.value().position();
    if (from < first()) {
      throw new JournalException(new JournalFault.Trimmed(from, first()));
    }
    if (from > limit) {
      throw new IllegalArgumentException("replay from " + from + ", flushed up to " + limit);
    }
    for (long at = from; at < limit; at++) {
      long position = at;
      ByteBuffer payload = lock.call(() -> records.get(position));
      if (payload == null) {
        throw new JournalException(new JournalFault.Trimmed(at, first()));
      }
      consumer.accept(at, payload.asReadOnlyBuffer());
    }
    return limit;
  }

  @Override
  public Cursor cursor() {
    return this::read;
  }

  private ByteBuffer read(long position) throws IOException {
    ByteBuffer payload = lock.call(() -> records.get(position));
    if (payload == null) {
      throw new JournalException(new JournalFault.Trimmed(position, first()));
    }
    return payload.asReadOnlyBuffer();
  }

  @Override
  public void snapshot(long position, long oldest, Body body) throws IOException {
    if (position < 0 || position > flushed.value().position()) {
      throw new IllegalArgumentException(
          "snapshot at %d, flushed up to %d".formatted(position, flushed.value().position()));
    }
    var out = new ByteArrayOutputStream();
    body.write(out);
    byte[] bytes = out.toByteArray();
    var stored = new StoredSnapshot(position, () -> new ByteArrayInputStream(bytes));
    var kept = new Kept(stored, Math.min(position, oldest));
    lock.run(() -> newest = Optional.of(kept));
  }

  @Override
  public Optional<StoredSnapshot> newestSnapshot() {
    return lock.call(() -> newest).map(Kept::snapshot);
  }

  @Override
  public long trim(long before) {
    return lock.call(
        () -> {
          long floor = newest.map(kept -> Math.min(kept.oldest(), before)).orElse(0L);
          while (!records.isEmpty() && records.firstKey() < floor) {
            bytes -= Frame.bytes(records.pollFirstEntry().getValue().remaining());
          }
          first = Math.max(first, floor);
          return first;
        });
  }

  private ChannelRow row() {
    return new ChannelRow(
        settings.name(),
        "buffer of bytes",
        settings.segmentBytes(),
        "reject new",
        (int) (long) lock.call(() -> bytes),
        0,
        0);
  }
}
