package dev.ron.journal.file;

import dev.ron.journal.AppendResult;
import dev.ron.journal.AppendResult.Refused;
import dev.ron.journal.AppendResult.Taken;
import dev.ron.journal.JournalFault;
import dev.ron.journal.JournalSettings;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Bell;
import dev.ron.kernel.channel.Inbox;
import dev.ron.kernel.lock.RankedLock;
import dev.ron.kernel.registry.ChannelRow;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What was appended and waits for a flush: one buffer fills while the other is written.
 *
 * <p>An append encodes its records where they will be written from and is done. So memory is two
 * buffers whatever the disk does, and an appender waits at most for the copying of another.
 *
 * <p>Threading: thread-safe; {@code lock} guards the buffers and positions, and nothing under it
 * touches the disk.
 */
final class AppendBuffer implements Inbox {
  /** Above the locks of appenders; under it only copying happens. */
  private static final int RANK = 900;

  /** A flush takes about this long, and makes room for a whole buffer. */
  private static final Duration REST = Duration.ofMillis(5);

  private final JournalSettings settings;
  private final long id;
  private final RankedLock lock;
  private final List<Bell> bells = new CopyOnWriteArrayList<>();
  private final LongAdder refused = new LongAdder();
  private ByteBuffer filling;
  private @Nullable ByteBuffer spare;
  private long batchStart;
  private long next;
  private @Nullable JournalFault ended;
  private volatile int depthBytes;
  private volatile int depthRecords;
  private volatile int wanted = 1;
  private volatile boolean closed;

  AppendBuffer(Scope scope, JournalSettings settings, long id, long next) {
    this.settings = settings;
    this.id = id;
    this.lock = new RankedLock(scope.registry(), settings.name() + "-pending", RANK);
    this.filling = ByteBuffer.allocateDirect(settings.bufferBytes());
    this.spare = ByteBuffer.allocateDirect(settings.bufferBytes());
    this.batchStart = next;
    this.next = next;
  }

  AppendResult append(List<ByteBuffer> records) {
    long bytes = 0;
    for (ByteBuffer payload : records) {
      if (!payload.hasRemaining()) {
        throw new IllegalArgumentException("an empty record");
      }
      if (payload.remaining() > settings.recordBytesMax()) {
        return new Refused(
            new JournalFault.TooLarge(payload.remaining(), settings.recordBytesMax()));
      }
      bytes += Frame.bytes(payload.remaining());
    }
    if (bytes > settings.bufferBytes()) {
      return new Refused(new JournalFault.TooLarge(bytes, settings.bufferBytes()));
    }
    int needed = (int) bytes;
    Put put = lock.call(() -> put(records, needed));
    if (put.enough()) {
      bells.forEach(Bell::ring);
    } else if (put.answer() instanceof Refused) {
      refused.increment();
    }
    return put.answer();
  }

  /** An answer, and whether what is wanted has just come together: the flush task may be asleep. */
  private record Put(AppendResult answer, boolean enough) {}

  private Put put(List<ByteBuffer> records, int needed) {
    if (ended != null) {
      return new Put(new Refused(ended), false);
    }
    if (filling.remaining() < needed) {
      var busy = new JournalFault.Busy(settings.name(), settings.bufferBytes(), REST);
      return new Put(new Refused(busy), false);
    }
    int before = depthRecords;
    long first = next;
    for (ByteBuffer payload : records) {
      Frame.put(filling, id, next, batchStart, payload);
      next++;
    }
    depthBytes = filling.position();
    depthRecords = before + records.size();
    return new Put(new Taken(first, next), before < wanted && depthRecords >= wanted);
  }

  /** Everything that waits, or null; while a batch is out there is no other. */
  @Nullable FlushBatch take() {
    return lock.call(
        () -> {
          ByteBuffer empty = spare;
          if (empty == null || filling.position() == 0) {
            return null;
          }
          var batch = new FlushBatch(filling.flip(), batchStart, next);
          filling = empty;
          spare = null;
          batchStart = next;
          depthBytes = 0;
          depthRecords = 0;
          return batch;
        });
  }

  void giveBack(FlushBatch batch) {
    lock.run(() -> spare = batch.bytes().clear());
  }

  /** Refuses every append from now on. */
  void end(JournalFault why) {
    lock.run(() -> ended = ended == null ? why : ended);
    closed = true;
    bells.forEach(Bell::ring);
  }

  /** Only before the first append. */
  void beginAt(long first) {
    lock.run(
        () -> {
          batchStart = first;
          next = first;
        });
  }

  /** The position the next record would get. */
  long next() {
    return lock.call(() -> next);
  }

  /** Says how many records have to be here for {@link #ready}. */
  void want(int records) {
    lock.run(() -> wanted = Math.max(1, records));
  }

  /** How many records wait. */
  int records() {
    return depthRecords;
  }

  @Override
  public boolean ready() {
    return depthRecords >= wanted;
  }

  @Override
  public String name() {
    return settings.name();
  }

  @Override
  public boolean ended() {
    return closed && depthRecords == 0;
  }

  @Override
  public void attach(Bell bell) {
    bells.add(bell);
  }

  @Override
  public void detach(Bell bell) {
    bells.remove(bell);
  }

  ChannelRow row() {
    return new ChannelRow(
        settings.name(),
        "buffer of bytes",
        settings.bufferBytes(),
        "reject new",
        depthBytes,
        0,
        refused.sum());
  }
}
