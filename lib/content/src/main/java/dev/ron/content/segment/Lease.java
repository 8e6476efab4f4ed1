package dev.ron.content.segment;

import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The right to use a segment's file: while it is held, the file stays open and stays.
 *
 * <p>Threading: thread-safe.
 */
public final class Lease implements AutoCloseable {
  private final Segments segments;
  private final Segment segment;
  private final DiskFile file;
  private final AtomicBoolean closed = new AtomicBoolean();

  Lease(Segments segments, Segment segment, DiskFile file) {
    this.segments = segments;
    this.segment = segment;
    this.file = file;
  }

  public Segment segment() {
    return segment;
  }

  public DiskFile file() {
    return file;
  }

  /** To send from, see {@link Segments#channel}. */
  public FileChannel channel() throws IOException {
    return segments.channel(segment);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      segments.release(segment);
    }
  }
}
