package dev.ron.kernel.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A file of the machine that stays open when one of its users is interrupted.
 *
 * <p>A {@code FileChannel} closes itself when a thread is interrupted inside it. One aborted
 * request would then close the file for all others; so the channel is opened again for them, and
 * only the interrupted thread sees its {@link ClosedByInterruptException}.
 *
 * <p>Threading: thread-safe; {@code reopening} guards the replacement of the channel.
 */
final class RealFile implements DiskFile {
  private final Path path;
  private final Set<OpenOption> options;
  private final ReentrantLock reopening = new ReentrantLock();
  private volatile FileChannel channel;
  private volatile boolean closed;

  RealFile(Path path, Set<? extends OpenOption> options) throws IOException {
    this.path = path;
    this.options = new HashSet<>(options);
    this.channel = FileChannel.open(path, this.options, OwnerOnly.FILE);
  }

  @Override
  public int read(ByteBuffer into, long position) throws IOException {
    return onOpenChannel(
        open -> {
          int total = 0;
          while (into.hasRemaining()) {
            int count = open.read(into, position + total);
            if (count < 0) {
              break;
            }
            total += count;
          }
          return total;
        });
  }

  @Override
  public void write(ByteBuffer from, long position) throws IOException {
    int start = from.position();
    onOpenChannel(
        open -> {
          while (from.hasRemaining()) {
            open.write(from, position + from.position() - start);
          }
          return 0;
        });
  }

  @Override
  public void flush() throws IOException {
    onOpenChannel(
        open -> {
          open.force(false);
          return 0;
        });
  }

  @Override
  public long size() throws IOException {
    return onOpenChannel(FileChannel::size);
  }

  @Override
  public void truncate(long size) throws IOException {
    onOpenChannel(open -> open.truncate(size));
  }

  @Override
  public void close() throws IOException {
    closed = true;
    channel.close();
  }

  private <T> T onOpenChannel(Work<T> work) throws IOException {
    while (true) {
      FileChannel open = channel;
      try {
        return work.on(open);
      } catch (ClosedByInterruptException ours) {
        throw ours;
      } catch (ClosedChannelException another) {
        if (closed) {
          throw another;
        }
        reopen(open);
      }
    }
  }

  /**
   * Opening a file is I/O under a lock, on purpose: it happens once per interrupt, and a thread
   * that waits here has nothing to do before the file is open again.
   */
  @SuppressWarnings({
    "BlockingWhileLocked",
    "ReferenceEquality"
  }) // the same channel, not an equal one
  private void reopen(FileChannel broken) throws IOException {
    reopening.lock();
    try {
      if (channel == broken) {
        channel = FileChannel.open(path, options, OwnerOnly.FILE);
      }
    } finally {
      reopening.unlock();
    }
  }

  /**
   * What is done with the channel; done again from the start if another thread's interrupt closed
   * it.
   */
  private interface Work<T> {
    T on(FileChannel open) throws IOException;
  }
}
