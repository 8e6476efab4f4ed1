package dev.ron.journal;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads single records by their position, each checked before it is handed over.
 *
 * <p>The first read of a segment from before the last start walks over its record lengths once; the
 * segments written since are known from their writing.
 *
 * <p>Threading: thread-safe. Two first readers of a segment may both walk it; that is wasted and
 * not wrong, and spares a lock around the disk.
 */
final class RecordReader {
  /** Files held open; a journal of more segments opens some again. */
  private static final int OPEN_MAX = 256;

  /** Holds the records between two noted ones, if they are of a usual size. */
  private static final int WINDOW_BYTES = 8 << 10;

  private final Disk disk;
  private final long id;
  private final ConcurrentHashMap<Long, SegmentPlaces> places = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Long, DiskFile> open = new ConcurrentHashMap<>();

  RecordReader(Disk disk, long id) {
    this.disk = disk;
    this.id = id;
  }

  /** The places of the segment that is being written. */
  void growing(long first, SegmentPlaces segment) {
    places.put(first, segment);
  }

  /**
   * @param limit the position after the last record of the segment, or flushed so far
   */
  ByteBuffer read(long first, Path path, long position, long limit) throws IOException {
    SegmentPlaces known = places.get(first);
    if (known == null) {
      try (var reader = new SegmentReader(disk, path)) {
        known = SegmentPlaces.scan(reader, first, limit);
      }
      places.putIfAbsent(first, known);
    }
    while (true) {
      try {
        return read(file(first, path), path, known, position);
      } catch (ClosedChannelException closed) {
        // Closed to make room for another, unless it is our own thread that shall end.
        if (Thread.currentThread().isInterrupted()) {
          throw closed;
        }
        open.remove(first);
      }
    }
  }

  private ByteBuffer read(DiskFile file, Path path, SegmentPlaces known, long position)
      throws IOException {
    long offset = known.offset(position);
    int steps = known.steps(position);
    ByteBuffer window = at(file, offset, WINDOW_BYTES);
    int at = 0;
    while (true) {
      if (window.limit() - at < Frame.HEADER_BYTES) {
        window = at(file, offset, WINDOW_BYTES);
        at = 0;
      }
      int payloadBytes =
          window.limit() - at < Frame.HEADER_BYTES ? -1 : Frame.payloadBytes(window.position(at));
      if (payloadBytes < 0) {
        throw Recovery.corrupt(path, offset, "no length of a record");
      }
      int bytes = Frame.bytes(payloadBytes);
      boolean mark = Frame.isMark(window.position(at));
      if (steps == 0 && !mark) {
        ByteBuffer whole =
            window.limit() - at < bytes ? at(file, offset, bytes) : window.slice(at, bytes);
        return payload(whole, path, offset, position, bytes);
      }
      offset += bytes;
      at = Math.min(at + bytes, window.limit());
      steps -= mark ? 0 : 1;
    }
  }

  private ByteBuffer payload(ByteBuffer whole, Path path, long offset, long position, int bytes)
      throws IOException {
    Frame frame = whole.remaining() < bytes ? null : Frame.parse(whole, id);
    if (frame == null || frame.position() != position || frame.kind() != Frame.Kind.RECORD) {
      throw Recovery.corrupt(path, offset, "record %d cannot be read".formatted(position));
    }
    return frame.payload();
  }

  private static ByteBuffer at(DiskFile file, long offset, int bytes) throws IOException {
    ByteBuffer window = ByteBuffer.allocate(bytes);
    file.read(window, offset);
    return window.flip();
  }

  private DiskFile file(long first, Path path) throws IOException {
    DiskFile there = open.get(first);
    if (there != null) {
      return there;
    }
    if (open.size() >= OPEN_MAX) {
      for (Long other : open.keySet()) {
        forgetFile(other);
        break;
      }
    }
    DiskFile fresh = disk.openReadOnly(path);
    DiskFile earlier = open.putIfAbsent(first, fresh);
    if (earlier == null) {
      return fresh;
    }
    fresh.close();
    return earlier;
  }

  /** The segment is gone. */
  void forget(long first) throws IOException {
    places.remove(first);
    forgetFile(first);
  }

  private void forgetFile(long first) throws IOException {
    DiskFile file = open.remove(first);
    if (file != null) {
      file.close();
    }
  }

  void close() throws IOException {
    for (Long first : open.keySet()) {
      forgetFile(first);
    }
  }
}
