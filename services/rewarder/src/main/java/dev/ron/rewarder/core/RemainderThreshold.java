package dev.ron.rewarder.core;

import java.util.function.Consumer;

/**
 * Which actors get one of the units that a division leaves over: the largest remainders, and of
 * those equal to the smallest that still gets one, the first.
 *
 * <p>It is found digit by digit, from the top: one pass counts how many remainders have each value
 * of the next digit among those that agree so far. So the memory is that of one digit's counters,
 * whatever the number of actors.
 *
 * <p>Threading: owned by the run; {@link #takes} is asked once for each actor, in order.
 */
final class RemainderThreshold {
  private static final int DIGIT_BITS_MIN = 6;
  private static final int DIGIT_BITS_MAX = 20;

  private final Wide least;
  private long ties;
  private final boolean nobody;

  /** Gets each remainder. */
  interface Visitor {
    void visit(Wide remainder);
  }

  private RemainderThreshold(Wide least, long ties, boolean nobody) {
    this.least = least;
    this.ties = ties;
    this.nobody = nobody;
  }

  static RemainderThreshold nobody() {
    return new RemainderThreshold(Wide.MAX, 0, true);
  }

  /**
   * @param units to be given, at most one to each
   * @param bits no remainder has more
   * @param remainders shows all remainders to a visitor, as often as it is called
   */
  static RemainderThreshold find(long units, long actors, int bits, Consumer<Visitor> remainders) {
    if (units == 0) {
      return nobody();
    }
    int digitBits =
        Math.clamp(Long.SIZE - Long.numberOfLeadingZeros(actors), DIGIT_BITS_MIN, DIGIT_BITS_MAX);
    Wide prefix = Wide.ZERO;
    long left = units;
    for (int at = bits; at > 0; ) {
      int width = Math.min(digitBits, at);
      at -= width;
      long[] counts = counts(prefix, at, width, remainders);
      int digit = counts.length - 1;
      while (digit > 0 && counts[digit] < left) {
        left -= counts[digit--];
      }
      prefix = prefix.plus(shifted(digit, at));
      if (counts[digit] == left) {
        // All that agree so far get one: the digits below need not be told apart.
        break;
      }
    }
    return new RemainderThreshold(prefix, left, false);
  }

  /** How often each value of the digit stands behind the prefix. */
  private static long[] counts(Wide prefix, int at, int width, Consumer<Visitor> remainders) {
    long[] counts = new long[1 << width];
    Wide above = prefix;
    int over = at + width;
    remainders.accept(
        remainder -> {
          if (agrees(remainder, above, over)) {
            counts[remainder.bits(at, width)]++;
          }
        });
    return counts;
  }

  /** The bits from {@code at} on are the same. */
  private static boolean agrees(Wide a, Wide b, int at) {
    if (at >= Long.SIZE) {
      return at - Long.SIZE >= Long.SIZE - 1
          || a.high() >>> (at - Long.SIZE) == b.high() >>> (at - Long.SIZE);
    }
    return a.high() == b.high() && (at == 0 || a.low() >>> at == b.low() >>> at);
  }

  private static Wide shifted(int digit, int by) {
    long value = digit;
    if (by >= Long.SIZE) {
      return new Wide(value << (by - Long.SIZE), 0);
    }
    return new Wide(by == 0 ? 0 : value >>> (Long.SIZE - by), value << by);
  }

  boolean takes(Wide remainder) {
    if (nobody) {
      return false;
    }
    int order = remainder.compareTo(least);
    return order > 0 || (order == 0 && ties-- > 0);
  }
}
