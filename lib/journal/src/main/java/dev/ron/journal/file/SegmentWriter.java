package dev.ron.journal.file;

import dev.ron.journal.JournalSettings;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * The segment that grows.
 *
 * <p>A write that failed may be repeated: it goes to the same place, and no appender was told of
 * it. A flush that failed may not; see {@code JournalFault.Poisoned}.
 *
 * <p>Threading: owned by the flush task.
 */
final class SegmentWriter implements Closeable {
  private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(64 << 10).asReadOnlyBuffer();

  /** Measured: zeros for 1 MiB pay off with batches of 8 KiB and cost with batches of 64 KiB. */
  private static final int FLUSHES_SAVED_MIN = 32;

  private final Disk disk;
  private final JournalSettings settings;
  private final long id;
  private final NavigableMap<Long, Path> segments;
  private @Nullable RecordReader records;
  private @Nullable SegmentOffsets places;
  private DiskFile file;
  private long first;
  private long offset;
  private long grown;
  private boolean nameIsNew;

  /**
   * @param segments gets the name of each new segment once it is durable
   * @param offset behind the last record of the last segment, which is on the disk up to there
   */
  SegmentWriter(
      Disk disk, JournalSettings settings, long id, NavigableMap<Long, Path> segments, long offset)
      throws IOException {
    this.disk = disk;
    this.settings = settings;
    this.id = id;
    this.segments = segments;
    this.first = segments.lastKey();
    this.file = disk.open(segments.lastEntry().getValue());
    this.offset = offset;
    this.grown = offset;
  }

  /** Lets a reader know where each record is put, those that are there included. */
  void noteIn(RecordReader reader, long next) throws IOException {
    try (var segment = new SegmentWindow(disk, segments.lastEntry().getValue())) {
      places = SegmentOffsets.scan(segment, first, next);
    }
    records = reader;
    reader.growing(first, places);
  }

  /** Makes a segment without records that survives a crash. */
  static void create(Disk disk, Path path, SegmentHeader header) throws IOException {
    try (DiskFile file = disk.open(path)) {
      file.truncate(0);
      file.write(header.encode(SegmentHeader.LOG), 0);
      file.flush();
    }
    disk.flushDirectory(folder(path));
  }

  static Path folder(Path path) {
    Path folder = path.getParent();
    return folder == null ? Path.of("") : folder;
  }

  void write(FlushBatch batch) throws IOException {
    int bytes = batch.bytes().remaining();
    if (offset > SegmentHeader.BYTES && offset + bytes > settings.segmentBytes()) {
      roll(batch.first());
    }
    file.write(batch.bytes().duplicate(), offset);
    grow(offset + bytes, bytes);
  }

  /** When this returns, the batch is on the disk and so is the name of its file. */
  void flush(FlushBatch batch) throws IOException {
    file.flush();
    note(batch);
    if (nameIsNew) {
      disk.flushDirectory(settings.folder());
      segments.put(first, SegmentNames.of(settings.folder(), first, SegmentNames.LOG));
      nameIsNew = false;
    }
    offset += batch.bytes().remaining();
  }

  private void note(FlushBatch batch) {
    if (records == null) {
      return;
    }
    if (places == null) {
      places = new SegmentOffsets(first);
      records.growing(first, places);
    }
    places.addAll(batch.bytes(), offset);
  }

  /** Goes on in a new segment whose first record will be {@code next}, and which is durable. */
  void begin(long next) throws IOException {
    roll(next);
    file.flush();
    disk.flushDirectory(settings.folder());
    segments.put(next, SegmentNames.of(settings.folder(), next, SegmentNames.LOG));
    nameIsNew = false;
  }

  /** Everything in the old segment is flushed: only the last one can have a torn tail. */
  private void roll(long next) throws IOException {
    DiskFile fresh = disk.open(SegmentNames.of(settings.folder(), next, SegmentNames.LOG));
    try {
      fresh.write(new SegmentHeader(id, next).encode(SegmentHeader.LOG), 0);
    } catch (IOException failed) {
      fresh.close();
      throw failed;
    }
    DiskFile old = file;
    file = fresh;
    first = next;
    offset = SegmentHeader.BYTES;
    grown = offset;
    nameIsNew = true;
    places = null;
    old.close();
  }

  /**
   * Writes zeros behind {@code end} if the file's length would change, so that the next flushes do
   * not have to. A large batch changes it so seldom that zeros would only double what is written. A
   * disk too full for zeros may still have room for records.
   */
  private void grow(long end, int batchBytes) {
    if (batchBytes > settings.growBytes() / FLUSHES_SAVED_MIN || end <= grown) {
      return;
    }
    long to = Math.min(end + settings.growBytes(), settings.segmentBytes());
    grown = end;
    try {
      for (long at = end; at < to; at += ZEROS.capacity()) {
        file.write(ZEROS.slice(0, (int) Math.min(ZEROS.capacity(), to - at)), at);
      }
      grown = Math.max(end, to);
    } catch (IOException full) {
      // the records were written; the next one that is longer tries again
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
