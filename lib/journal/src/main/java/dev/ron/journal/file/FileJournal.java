package dev.ron.journal.file;

import dev.ron.journal.AppendResult;
import dev.ron.journal.FlushPosition;
import dev.ron.journal.Journal;
import dev.ron.journal.JournalException;
import dev.ron.journal.JournalFault;
import dev.ron.journal.JournalSettings;
import dev.ron.journal.RecoveryReport;
import dev.ron.journal.StoredSnapshot;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A journal in segment files, made durable by its {@link FlushTask}.
 *
 * <p>The folder is this journal's alone; two processes on one folder destroy it.
 *
 * <p>Threading: as {@link Journal} says; {@code busy} finds two snapshots or trims at a time.
 */
public final class FileJournal implements Journal {
  private final String name;
  private final Disk disk;
  private final long id;
  private final NavigableMap<Long, Path> segments;
  private final AppendBuffer pending;
  private final Watch<FlushPosition> flushed;
  private final SegmentWriter writer;
  private final FlushTask flushTask;
  private final Snapshots snapshots;
  private final RecoveryReport recovered;
  private final RecordReader records;
  private final AtomicBoolean busy = new AtomicBoolean();

  private FileJournal(Scope scope, JournalSettings settings, JournalRecovery found)
      throws IOException {
    this.name = settings.name();
    this.disk = scope.disk();
    this.id = found.id();
    this.segments = found.segments();
    this.snapshots = new Snapshots(disk, settings, id);
    this.recovered =
        new RecoveryReport(
            first(), found.next(), found.tornTail(), snapshots.refused(found.next()));
    this.records = new RecordReader(disk, id);
    this.writer = new SegmentWriter(disk, settings, id, segments, found.offset());
    writer.noteIn(records, found.next());
    this.pending = new AppendBuffer(scope, settings, id, found.next());
    this.flushed = Watch.of(scope, settings.name() + "-flushed", FlushPosition.upTo(found.next()));
    this.flushTask = new FlushTask(scope, settings, id, pending, writer, flushed);
    scope.registry().channel(pending::row, this::abandon);
  }

  /**
   * Reads what is there, or begins a new journal in an empty folder.
   *
   * @throws JournalException if what is there is corrupt
   */
  public static FileJournal open(Scope scope, JournalSettings settings) throws IOException {
    JournalRecovery found = JournalRecovery.run(scope.disk(), settings, scope.secrets());
    var journal = new FileJournal(scope, settings, found);
    found
        .tornTail()
        .ifPresent(
            torn ->
                scope
                    .log()
                    .warn(
                        "journal-tail-cut",
                        "segment",
                        torn.segment(),
                        "offset",
                        torn.offset(),
                        "bytes",
                        torn.bytes(),
                        "why",
                        torn.why()));
    for (JournalFault refused : journal.recovered.snapshotsRefused()) {
      scope.log().error("snapshot-refused", "why", refused.detail());
    }
    return journal;
  }

  /**
   * Lets a journal that never had a record begin at a later position: it becomes the copy of
   * another that has trimmed those before.
   */
  public void beginAt(long first) throws IOException {
    alone(
        () -> {
          if (first() != 0 || pending.next() != 0) {
            throw new IllegalStateException("the journal has had records");
          }
          if (first > 0) {
            Path empty = segments.firstEntry().getValue();
            writer.begin(first);
            segments.remove(0L);
            records.forget(0);
            disk.delete(empty);
            disk.flushDirectory(SegmentWriter.folder(empty));
            pending.beginAt(first);
            flushed.set(FlushPosition.upTo(first));
          }
          return first;
        });
  }

  /** What open found. */
  public RecoveryReport recovered() {
    return recovered;
  }

  /** The task without which nothing gets durable; the same one each time. */
  public FlushTask flushTask() {
    return flushTask;
  }

  @Override
  public AppendResult append(List<ByteBuffer> records) {
    return pending.append(records);
  }

  @Override
  public Watch<FlushPosition> flushed() {
    return flushed;
  }

  @Override
  public long first() {
    return segments.firstKey();
  }

  @Override
  public long replay(long from, RecordConsumer consumer) throws IOException {
    long limit = flushed.value().position();
    if (from > limit) {
      throw new IllegalArgumentException("replay from " + from + ", flushed up to " + limit);
    }
    long next = from;
    Long begin = segments.floorKey(from);
    if (begin == null) {
      throw new JournalException(new JournalFault.Trimmed(from, first()));
    }
    for (Map.Entry<Long, Path> segment : segments.tailMap(begin, true).entrySet()) {
      if (segment.getKey() >= limit) {
        break;
      }
      next = replay(segment, from, limit, consumer);
    }
    if (next != limit) {
      Path last = segments.lastEntry().getValue();
      throw JournalRecovery.corrupt(last, 0, "ends before record %d of %d".formatted(next, limit));
    }
    return next;
  }

  private long replay(Map.Entry<Long, Path> segment, long from, long limit, RecordConsumer consumer)
      throws IOException {
    Long following = segments.higherKey(segment.getKey());
    try (var reader = new SegmentWindow(disk, segment.getValue())) {
      SegmentHeader header =
          JournalRecovery.checked(segment.getValue(), reader.header(), segment.getKey());
      if (header.id() != id) {
        throw JournalRecovery.corrupt(segment.getValue(), 0, "a segment of another journal");
      }
      long until = following == null ? limit : Math.min(limit, following);
      SegmentWalk walk =
          SegmentWalk.run(
              reader,
              header,
              until,
              (position, payload) -> {
                if (position >= from) {
                  consumer.accept(position, payload);
                }
              });
      JournalRecovery.checkEnd(reader, walk, until);
      return walk.next();
    }
  }

  @Override
  public Cursor cursor() {
    return new RecordCursor(this, records);
  }

  /**
   * A segment that has a certain record.
   *
   * @param limit the position after its last record, or flushed so far
   */
  record Segment(long first, Path path, long limit) {}

  Segment segmentOf(long position) throws IOException {
    long limit = flushed.value().position();
    if (position >= limit) {
      throw new IllegalArgumentException("read of " + position + ", flushed up to " + limit);
    }
    Map.Entry<Long, Path> segment = segments.floorEntry(position);
    if (segment == null) {
      throw new JournalException(new JournalFault.Trimmed(position, first()));
    }
    Long following = segments.higherKey(segment.getKey());
    return new Segment(segment.getKey(), segment.getValue(), following == null ? limit : following);
  }

  @Override
  public void snapshot(long position, long needed, Body body) throws IOException {
    if (position < 0 || position > flushed.value().position()) {
      throw new IllegalArgumentException(
          "snapshot at %d, flushed up to %d".formatted(position, flushed.value().position()));
    }
    alone(
        () -> {
          snapshots.write(position, needed, body);
          return position;
        });
  }

  @Override
  public Optional<StoredSnapshot> newestSnapshot() throws IOException {
    return snapshots.newest();
  }

  @Override
  public long trim(long before) throws IOException {
    return alone(
        () -> {
          long floor = Math.min(before, snapshots.oldestNeeded());
          for (Long second = segments.higherKey(first());
              second != null && second <= floor;
              second = segments.higherKey(first())) {
            Map.Entry<Long, Path> oldest = segments.firstEntry();
            segments.remove(oldest.getKey());
            records.forget(oldest.getKey());
            disk.delete(oldest.getValue());
            // Each by itself: a crash that kept a later deletion only would leave a gap.
            disk.flushDirectory(SegmentWriter.folder(oldest.getValue()));
          }
          return first();
        });
  }

  /** The service has stopped and no flush comes any more: a thread that still waits is told. */
  private int abandon() {
    var closed = new JournalFault.Closed(name);
    pending.end(closed);
    FlushPosition last = flushed.value();
    if (last.fault().isEmpty()) {
      flushed.set(last.endedBy(closed));
    }
    return Math.toIntExact(pending.next() - last.position());
  }

  private long alone(Work work) throws IOException {
    if (!busy.compareAndSet(false, true)) {
      throw new IllegalStateException("two snapshots or trims at a time");
    }
    try {
      return work.run();
    } finally {
      busy.set(false);
    }
  }

  /** What only one caller may do at a time. */
  private interface Work {
    long run() throws IOException;
  }
}
