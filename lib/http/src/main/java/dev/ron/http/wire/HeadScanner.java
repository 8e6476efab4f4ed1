package dev.ron.http.wire;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;

/**
 * Finds the end of a head that arrives in pieces, and refuses broken line ends as soon as they are
 * seen.
 *
 * <p>It remembers where it stopped: a head sent byte by byte costs as much as one sent whole.
 *
 * <p>Threading: owned by its connection's event loop.
 */
public final class HeadScanner implements ByteProcessor {
  private static final int LINE_START = 0;
  private static final int IN_LINE = 1;
  private static final int AFTER_CR = 2;
  private static final int EMPTY_AFTER_CR = 3;
  private static final int BROKEN = 4;
  private static final int DONE = 5;

  private final int bytesMax;
  private int state = LINE_START;
  private int lines;
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
    int from = in.readerIndex() + scanned;
    int length = Math.min(in.writerIndex() - from, bytesMax - scanned);
    int stopped = length > 0 ? in.forEachByte(from, length, this) : -1;
    if (state == BROKEN) {
      throw Refusal.malformed("a line of the head does not end in CR LF");
    }
    if (state == DONE) {
      int head = stopped + 1 - in.readerIndex();
      reset();
      return head;
    }
    scanned += Math.max(0, length);
    if (scanned >= bytesMax) {
      throw Refusal.of(
          new HttpFault.HeadCap(
              lines == 0 ? 414 : 431, "the head is longer than " + bytesMax + " bytes"));
    }
    return 0;
  }

  /** Forgets a head in part; the next byte begins another. */
  public void reset() {
    state = LINE_START;
    lines = 0;
    scanned = 0;
  }

  @Override
  public boolean process(byte value) {
    state =
        switch (state) {
          case LINE_START ->
              value == '\r' && lines > 0
                  ? EMPTY_AFTER_CR
                  : value == '\r' || value == '\n' ? BROKEN : IN_LINE;
          case IN_LINE -> value == '\r' ? AFTER_CR : value == '\n' ? BROKEN : IN_LINE;
          case AFTER_CR -> value == '\n' ? lineEnded() : BROKEN;
          case EMPTY_AFTER_CR -> value == '\n' ? DONE : BROKEN;
          default -> BROKEN;
        };
    return state != DONE && state != BROKEN;
  }

  private int lineEnded() {
    lines++;
    return LINE_START;
  }
}
