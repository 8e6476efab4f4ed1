package dev.ron.journal.file;

import dev.ron.journal.JournalSettings;
import dev.ron.kernel.disk.Disk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.TreeMap;

/**
 * Writes the segments of a salvaged journal, a buffer at a time.
 *
 * <p>Threading: owned by one thread.
 */
final class SalvageWriter implements Closeable {
  private static final int SEGMENT_BYTES = 64 << 20;
  private static final int BUFFER_BYTES = 1 << 20;

  private final SegmentWriter writer;
  private final long id;
  private ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private long batchStart;

  SalvageWriter(Disk disk, Path folder, SegmentHeader header) throws IOException {
    this.id = header.id();
    this.batchStart = header.first();
    Path path = SegmentNames.of(folder, header.first(), SegmentNames.LOG);
    SegmentWriter.create(disk, path, header);
    var segments = new TreeMap<Long, Path>();
    segments.put(header.first(), path);
    var settings =
        JournalSettings.in(folder).sized(SEGMENT_BYTES, BUFFER_BYTES, BUFFER_BYTES / 2, 0);
    this.writer = new SegmentWriter(disk, settings, id, segments, SegmentHeader.BYTES);
  }

  void record(long position, ByteBuffer payload) throws IOException {
    room(position, Frame.bytes(payload.remaining()));
    Frame.put(buffer, id, position, batchStart, payload);
  }

  void lost(long position) throws IOException {
    room(position, Frame.HEADER_BYTES);
    Frame.putLost(buffer, id, position, batchStart);
  }

  /** Ends as a clean close does. */
  void finish(long next) throws IOException {
    flush(next);
    Frame.putMark(buffer, id, next);
    flush(next);
  }

  private void room(long next, int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      flush(next);
    }
    if (buffer.remaining() < bytes) {
      buffer = ByteBuffer.allocate(bytes);
    }
  }

  private void flush(long next) throws IOException {
    var batch = new FlushBatch(buffer.flip(), batchStart, next);
    if (batch.bytes().hasRemaining()) {
      writer.write(batch);
      writer.flush(batch);
    }
    buffer.clear();
    batchStart = next;
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
