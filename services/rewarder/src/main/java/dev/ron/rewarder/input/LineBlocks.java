package dev.ron.rewarder.input;

import dev.ron.rewarder.RewarderFaultException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Cuts a stream into blocks of whole lines.
 *
 * <p>Threading: owned by the thread that reads.
 */
public final class LineBlocks {
  /** Large enough that handing one on costs nothing beside scanning it. */
  public static final int BLOCK_BYTES = 1 << 20;

  private final InputStream in;
  private byte[] carried = new byte[0];
  private boolean ended;

  public LineBlocks(InputStream in) {
    this.in = in;
  }

  /**
   * Fills the buffer with whole lines; the last line of all may lack its end.
   *
   * @param buffer of {@link #BLOCK_BYTES}
   * @return how many bytes there are, 0 at the end
   */
  public int next(byte[] buffer) throws IOException {
    System.arraycopy(carried, 0, buffer, 0, carried.length);
    int length = carried.length;
    while (!ended && length < buffer.length) {
      int count = in.read(buffer, length, buffer.length - length);
      ended = count < 0;
      length += Math.max(0, count);
    }
    int whole = ended ? length : lastLineEnd(buffer, length);
    if (whole == 0 && length > 0) {
      throw RewarderFaultException.badInput("a line of more than " + BLOCK_BYTES + " bytes");
    }
    carried = java.util.Arrays.copyOfRange(buffer, whole, length);
    return whole;
  }

  private static int lastLineEnd(byte[] buffer, int length) {
    int at = length;
    while (at > 0 && buffer[at - 1] != '\n') {
      at--;
    }
    return at;
  }
}
