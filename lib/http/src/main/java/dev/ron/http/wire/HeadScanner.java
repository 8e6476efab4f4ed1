package dev.ron.http.wire;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import io.netty.buffer.ByteBuf;

/**
 * Finds the end of a head that arrives in pieces, and refuses broken line ends.
 *
 * <p>It looks for line feeds alone, many bytes at a time; that no carriage return stands without
 * one is for {@link HeadParser}, which looks at every byte anyway. It remembers where it stopped: a
 * head sent byte by byte costs as much as one sent whole.
 *
 * <p>Threading: owned by its connection's event loop.
 */
public final class HeadScanner {
  private final int bytesMax;
  private int lines;
  private int lineStart;
  private int scanned;

  public HeadScanner(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  /**
   * Looks at what has arrived since the last call.
   *
   * @return the head's length with its empty line, or 0 if its end is not there yet
   */
  public int scan(ByteBuf in) throws Refusal {
    int start = in.readerIndex();
    int end = Math.min(in.writerIndex(), start + bytesMax);
    int feed = in.indexOf(start + scanned, end, (byte) '\n');
    while (feed >= 0) {
      int at = feed - start;
      if (at == lineStart || in.getByte(feed - 1) != '\r' || at == 1) {
        throw brokenLine(); // at 1: the first line is empty
      }
      if (at == lineStart + 1) {
        reset();
        return at + 1;
      }
      lines++;
      lineStart = at + 1;
      feed = in.indexOf(feed + 1, end, (byte) '\n');
    }
    // In a line that has not ended, only its last byte may be half of the end.
    int from = start + Math.max(lineStart, scanned - 1);
    if (from < end - 1 && in.indexOf(from, end - 1, (byte) '\r') >= 0) {
      throw brokenLine();
    }
    scanned = end - start;
    if (scanned >= bytesMax) {
      throw Refusal.of(
          new HttpFault.HeadCap(
              lines == 0 ? 414 : 431, "the head is longer than " + bytesMax + " bytes"));
    }
    return 0;
  }

  private static Refusal brokenLine() {
    return Refusal.malformed("a line of the head does not end in CR LF");
  }

  /** Forgets a head in part; the next byte begins another. */
  public void reset() {
    lines = 0;
    lineStart = 0;
    scanned = 0;
  }
}
