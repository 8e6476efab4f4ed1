package dev.ron.storage.object;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A range of an object in memory, which stays there until this is closed.
 *
 * <p>Threading: thread-safe.
 */
public final class MemoryLease implements AutoCloseable {
  private final MemorySlab slab;
  private final long position;
  private final long length;
  private final AtomicBoolean open = new AtomicBoolean(true);

  /**
   * @param slab with a use that is this lease's own
   */
  MemoryLease(MemorySlab slab, long position, long length) {
    this.slab = slab;
    this.position = position;
    this.length = length;
  }

  /** For the system to send from; not to be closed, nor used by a thread that is interrupted. */
  public FileChannel file() {
    return slab.file();
  }

  public long position() {
    return position;
  }

  public long length() {
    return length;
  }

  /** The bytes where they lie; not after this is closed. */
  public ByteBuffer bytes() {
    return slab.slice(position, length).asByteBuffer().asReadOnlyBuffer();
  }

  @Override
  public void close() {
    if (open.compareAndSet(true, false)) {
      slab.letGo();
    }
  }
}
