package dev.ron.mailbox.core.state;

import java.util.List;

/**
 * 64 neighbours of a {@link MessageIndex} at one moment; zeros are no message.
 *
 * <p>Threading: immutable by agreement; the array is not changed while it is in one.
 *
 * @param number of the page: that of its first message by 64
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy is what it is there to spare
public record IndexPage(long number, long[] words) {
  static final int MESSAGES = 64;
  static final int WORDS = 3;
  static final int POSITION_SHIFT = 16;

  /** The length of the array. */
  public static final int LENGTH = MESSAGES * WORDS;

  public IndexPage {
    if (words.length != LENGTH) {
      throw new IllegalArgumentException("a page of " + words.length + " words");
    }
  }

  /** The lowest position of the messages in this page. */
  long oldestPosition() {
    long oldest = Long.MAX_VALUE;
    for (int i = 1; i < words.length; i += WORDS) {
      if (words[i] != 0) {
        oldest = Math.min(oldest, words[i] >>> POSITION_SHIFT);
      }
    }
    return oldest;
  }

  /** Adds the numbers of the messages whose records lie before {@code position}. */
  void before(long position, List<Long> numbers) {
    for (int i = 1; i < words.length; i += WORDS) {
      if (words[i] != 0 && words[i] >>> POSITION_SHIFT < position) {
        numbers.add(number * MESSAGES + i / WORDS);
      }
    }
  }
}
