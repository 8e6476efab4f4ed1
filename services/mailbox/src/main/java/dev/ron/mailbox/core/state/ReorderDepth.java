package dev.ron.mailbox.core.state;

import java.util.Arrays;

/**
 * How far a message of a lane was overtaken: how many that were sent later were handed out first.
 *
 * <p>Counted from the start of the process on. A lane hands out the oldest first, and after a crash
 * what was in flight is ready in its old place; so this is 0 unless order was lost on the way
 * through the journal. What was handed out before the crash is not counted, because leases are not
 * written down and to come again is not to be overtaken; what clients saw across a crash is counted
 * by the ledger of the kill test.
 *
 * <p>The highest 64 numbers are kept, which is twice the depth that is promised; a message that
 * more than that overtook counts as 64.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class ReorderDepth {
  static final int COUNTED_MAX = 64;

  /** Most lanes are short; room grows with what is handed out. */
  private static final int ROOM_MIN = 4;

  private static final long[] NONE = {};

  /** Rising. */
  private long[] highest = NONE;

  private int size;

  void handedOut(long number) {
    int at = Arrays.binarySearch(highest, 0, size, number);
    if (at >= 0) {
      return;
    }
    int place = -at - 1;
    if (size == COUNTED_MAX) {
      if (place > 0) {
        System.arraycopy(highest, 1, highest, 0, place - 1);
        highest[place - 1] = number;
      }
      return;
    }
    if (size == highest.length) {
      highest = Arrays.copyOf(highest, Math.max(ROOM_MIN, 4 * size));
    }
    System.arraycopy(highest, place, highest, place + 1, size - place);
    highest[place] = number;
    size++;
  }

  /** What it takes beside itself. */
  int bytes() {
    return highest.length * Long.BYTES;
  }

  /** How many of those handed out were sent after this one. */
  public int of(long number) {
    int at = Arrays.binarySearch(highest, 0, size, number);
    return at >= 0 ? size - at - 1 : size + at + 1;
  }
}
