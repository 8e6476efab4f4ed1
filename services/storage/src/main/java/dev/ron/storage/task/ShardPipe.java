package dev.ron.storage.task;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A shard on its way from the coder to the node that takes it.
 *
 * <p>Threading: one thread writes, one reads; the queue of a few units is between them.
 */
final class ShardPipe extends InputStream {
  private static final int UNITS = 4;
  private static final byte[] END = new byte[0];
  private static final long STALL_SECONDS = 10;

  private final ArrayBlockingQueue<byte[]> units = new ArrayBlockingQueue<>(UNITS);
  private byte[] current = END;
  private int at;
  private boolean ended;
  private volatile boolean broken;

  /** False if nobody reads any more. */
  boolean write(byte[] unit) throws InterruptedException {
    for (int waited = 0; !broken && waited < STALL_SECONDS * 10; waited++) {
      if (units.offer(unit, 100, TimeUnit.MILLISECONDS)) {
        return true;
      }
    }
    broken = true;
    return false;
  }

  boolean end() throws InterruptedException {
    return write(END);
  }

  /** Tells the other side that nothing more will come of it. */
  void abandon() {
    broken = true;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (at == current.length && !fill()) {
      return -1;
    }
    int count = Math.min(length, current.length - at);
    System.arraycopy(current, at, into, offset, count);
    at += count;
    return count;
  }

  private boolean fill() throws IOException {
    try {
      byte[] next = null;
      for (int waited = 0; !ended && next == null && waited < STALL_SECONDS * 10; waited++) {
        if (broken) {
          throw new IOException("the write was given up");
        }
        next = units.poll(100, TimeUnit.MILLISECONDS);
      }
      if (ended) {
        return false;
      }
      if (next == null) {
        throw new IOException("the coder stalls");
      }
      ended = next.length == 0;
      current = next;
      at = 0;
      return !ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("cancelled", e);
    }
  }

  @Override
  public void close() {
    broken = true;
  }
}
