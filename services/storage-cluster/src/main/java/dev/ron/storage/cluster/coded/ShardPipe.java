package dev.ron.storage.cluster.coded;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A shard on its way from the coder to the node that takes it.
 *
 * <p>Threading: one thread writes, one reads; the queue of a few units is between them.
 */
final class ShardPipe extends PieceStream {
  private static final int UNITS = 4;
  private static final long STALL_SECONDS = 10;

  private final ArrayBlockingQueue<byte[]> units = new ArrayBlockingQueue<>(UNITS);
  private volatile boolean broken;

  /** False if its reader is gone. */
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
  byte[] next() throws IOException, InterruptedException {
    for (int waited = 0; waited < STALL_SECONDS * 10; waited++) {
      if (broken) {
        throw new IOException("the write was given up");
      }
      byte[] unit = units.poll(100, TimeUnit.MILLISECONDS);
      if (unit != null) {
        return unit;
      }
    }
    throw new IOException("the coder stalls");
  }

  @Override
  public void close() {
    broken = true;
  }
}
