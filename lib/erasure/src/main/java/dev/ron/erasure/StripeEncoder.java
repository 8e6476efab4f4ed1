package dev.ron.erasure;

import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;

/**
 * Turns an object that arrives in pieces, its length not yet known, into stripes.
 *
 * <p>Holds one stripe of units and hands it over, parity included, whenever it is full; {@link
 * #finish} pads and hands over the last one and answers the {@link StripeLayout} to keep. Nothing
 * is allocated between construction and finish.
 *
 * <p>Threading: owned by one writer.
 */
public final class StripeEncoder {
  /** Takes a stripe. The units are reused as soon as it returns. */
  @FunctionalInterface
  public interface Sink {
    void stripe(long stripe, byte[][] units) throws IOException;
  }

  private final ReedSolomon code;
  private final int unitBytes;
  private final Sink sink;
  private final byte[][] units;
  private long stripe;
  private long objectBytes;
  private int unit;
  private int filled;
  private boolean finished;

  public StripeEncoder(ReedSolomon code, Sink sink) {
    this(code, StripeLayout.UNIT_BYTES, sink);
  }

  public StripeEncoder(ReedSolomon code, int unitBytes, Sink sink) {
    if (unitBytes < 1) {
      throw new IllegalArgumentException("unitBytes=" + unitBytes + ": at least 1");
    }
    this.code = code;
    this.unitBytes = unitBytes;
    this.sink = sink;
    this.units = new byte[code.shards()][unitBytes];
  }

  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    int at = offset;
    int end = offset + length;
    while (at < end) {
      int count = room(end - at);
      System.arraycopy(bytes, at, units[unit], filled, count);
      advance(count);
      at += count;
    }
  }

  /** Pads and hands over what is left. An empty object has no stripe at all. */
  public StripeLayout finish() throws IOException {
    checkOpen();
    finished = true;
    if (unit > 0 || filled > 0) {
      for (; unit < code.dataShards(); unit++, filled = 0) {
        Arrays.fill(units[unit], filled, unitBytes, (byte) 0);
      }
      handOver();
    }
    return new StripeLayout(code.dataShards(), code.parityShards(), unitBytes, objectBytes);
  }

  private int room(int wanted) {
    checkOpen();
    return Math.min(wanted, unitBytes - filled);
  }

  private void advance(int count) throws IOException {
    objectBytes = Math.addExact(objectBytes, count);
    filled += count;
    if (filled == unitBytes) {
      filled = 0;
      unit++;
      if (unit == code.dataShards()) {
        handOver();
      }
    }
  }

  private void handOver() throws IOException {
    code.encode(units, 0, unitBytes);
    unit = 0;
    sink.stripe(stripe++, units);
  }

  private void checkOpen() {
    if (finished) {
      throw new IllegalStateException("the object is finished");
    }
  }
}
