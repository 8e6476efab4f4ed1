package dev.ron.journal.file;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One segment for reading, through a window that is as large as the largest frame met so far.
 *
 * <p>Threading: owned by one thread.
 */
final class SegmentWindow implements Closeable {
  private static final int WINDOW_BYTES = 256 << 10;
  private static final ByteBuffer ZEROS = ByteBuffer.allocate(WINDOW_BYTES).asReadOnlyBuffer();

  private final Path path;
  private final DiskFile file;
  private final long size;
  private ByteBuffer window;
  private long windowAt;

  SegmentWindow(Disk disk, Path path) throws IOException {
    this.path = path;
    this.file = disk.openReadOnly(path);
    this.size = file.size();
    this.window = ByteBuffer.allocate(Math.clamp(size, 0, WINDOW_BYTES)).limit(0);
  }

  Path path() {
    return path;
  }

  long size() {
    return size;
  }

  Optional<SegmentHeader> header() throws IOException {
    return SegmentHeader.parse(at(0, SegmentHeader.BYTES), SegmentHeader.LOG);
  }

  /** The bytes from an offset on, fewer than asked for at the end; valid until the next call. */
  ByteBuffer at(long offset, int bytes) throws IOException {
    int there = Math.clamp(size - offset, 0, bytes);
    if (offset < windowAt || offset + there > windowAt + window.limit()) {
      fill(offset, there);
    }
    return window.slice((int) (offset - windowAt), there);
  }

  /** True if nothing but zeros follows. */
  boolean zerosFrom(long offset) throws IOException {
    // First a short look, which almost always settles it without moving the window.
    if (!zerosAt(offset, Frame.HEADER_BYTES)) {
      return false;
    }
    for (long at = offset; at < size; at += WINDOW_BYTES) {
      if (!zerosAt(at, WINDOW_BYTES)) {
        return false;
      }
    }
    return true;
  }

  /** True if the next bytes, up to the end of the file, are zeros. */
  boolean zerosAt(long offset, int bytes) throws IOException {
    ByteBuffer there = at(offset, bytes);
    return there.mismatch(ZEROS.slice(0, there.remaining())) < 0;
  }

  private void fill(long offset, int least) throws IOException {
    if (window.capacity() < least) {
      window = ByteBuffer.allocate(least);
    }
    window.clear();
    windowAt = offset;
    int count = file.read(window, offset);
    window.position(0).limit(count);
    if (count < least) {
      throw new IOException("%s became shorter while it was read".formatted(path));
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
