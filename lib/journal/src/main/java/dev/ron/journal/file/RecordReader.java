package dev.ron.journal.file;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The segments for those who read single records: where the records lie, and the open files.
 *
 * <p>The first read of a segment from before the last start walks over its record lengths once; the
 * segments written since are known from their writing.
 *
 * <p>Threading: thread-safe. Who comes first to a segment walks it, and those who come meanwhile
 * wait for that: they would have to walk it too.
 */
final class RecordReader {
  /** Files held open; a journal of more segments opens some again. */
  private static final int OPEN_MAX = 256;

  private final Disk disk;
  private final long id;
  private final ConcurrentHashMap<Long, SegmentOffsets> places = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Long, DiskFile> open = new ConcurrentHashMap<>();

  RecordReader(Disk disk, long id) {
    this.disk = disk;
    this.id = id;
  }

  /** The places of the segment that is being written. */
  void growing(long first, SegmentOffsets segment) {
    places.put(first, segment);
  }

  /**
   * @param limit the position after the last record of the segment, or flushed so far
   */
  SegmentOffsets places(long first, Path path, long limit) throws IOException {
    try {
      return places.computeIfAbsent(first, _ -> scan(first, path, limit));
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
  }

  private SegmentOffsets scan(long first, Path path, long limit) {
    try (var reader = new SegmentWindow(disk, path)) {
      return SegmentOffsets.scan(reader, first, limit);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Fills a window with what a segment has from an offset on. */
  void fill(ByteBuffer window, long first, Path path, long offset) throws IOException {
    while (true) {
      window.clear();
      try {
        file(first, path).read(window, offset);
        window.flip();
        return;
      } catch (ClosedChannelException closed) {
        // Closed to make room for another, unless it is our own thread that shall end.
        if (Thread.currentThread().isInterrupted()) {
          throw closed;
        }
        open.remove(first);
      }
    }
  }

  /** The payload of a frame that must be the record of a position. */
  ByteBuffer payload(ByteBuffer whole, Path path, long offset, long position) throws IOException {
    Frame frame = Frame.parse(whole, id);
    if (frame == null || frame.position() != position || frame.kind() != Frame.Kind.RECORD) {
      throw JournalRecovery.corrupt(path, offset, "record %d cannot be read".formatted(position));
    }
    return frame.payload();
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
