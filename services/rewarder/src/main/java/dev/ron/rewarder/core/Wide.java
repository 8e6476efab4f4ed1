package dev.ron.rewarder.core;

import java.util.Optional;

/**
 * A whole number from 0 to 2^127 - 1; what does not fit is an {@link ArithmeticException}.
 *
 * <p>Money and scores are counted in it. One bit of the 128 stays free, so that a sum of two shows
 * its overflow in its sign.
 *
 * <p>Threading: immutable.
 */
public record Wide(long high, long low) implements Comparable<Wide> {
  public static final Wide ZERO = new Wide(0, 0);
  public static final Wide ONE = new Wide(0, 1);
  public static final Wide MAX = new Wide(Long.MAX_VALUE, -1);

  /** Digits of {@link #MAX}. */
  public static final int DIGITS_MAX = 39;

  public static final int BYTES = 16;

  private static final int BILLION = 1_000_000_000;

  public Wide {
    if (high < 0) {
      throw new ArithmeticException("not below 2^127, or negative");
    }
  }

  public static Wide of(long value) {
    if (value < 0) {
      throw new ArithmeticException("negative: " + value);
    }
    return value == 0 ? ZERO : new Wide(0, value);
  }

  /** Decimal digits without sign, space or leading zero. */
  public static Optional<Wide> parse(String text) {
    if (text.isEmpty()
        || text.length() > DIGITS_MAX
        || (text.charAt(0) == '0' && text.length() > 1)) {
      return Optional.empty();
    }
    Wide value = ZERO;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return Optional.empty();
      }
      try {
        value = value.times(10).plus(of(digit));
      } catch (ArithmeticException _) {
        return Optional.empty();
      }
    }
    return Optional.of(value);
  }

  public Wide plus(Wide other) {
    long sum = low + other.low;
    long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
    // Both highs are below 2^63, so the sum cannot wrap: too large is negative, which is refused.
    return new Wide(high + other.high + carry, sum);
  }

  public Wide minus(Wide other) {
    long borrow = Long.compareUnsigned(low, other.low) < 0 ? 1 : 0;
    return new Wide(high - other.high - borrow, low - other.low);
  }

  public Wide times(long factor) {
    if (factor < 0) {
      throw new ArithmeticException("negative: " + factor);
    }
    long top = Math.multiplyExact(high, factor);
    return new Wide(Math.addExact(top, Math.unsignedMultiplyHigh(low, factor)), low * factor);
  }

  /** What a division gives: {@code dividend = quotient * divisor + remainder}. */
  public record Division(Wide quotient, Wide remainder) {}

  /** This times {@code factor}, exactly, divided by {@code divisor}. */
  public Division timesDividedBy(Wide factor, Wide divisor) {
    if (high == 0 && factor.high == 0 && divisor.high == 0 && divisor.low > 0) {
      long product = low * factor.low;
      if (product >= 0 && Math.unsignedMultiplyHigh(low, factor.low) == 0) {
        return new Division(of(product / divisor.low), of(product % divisor.low));
      }
    }
    return WideDivision.timesDividedBy(this, factor, divisor);
  }

  public boolean isZero() {
    return (high | low) == 0;
  }

  public int bitLength() {
    return high == 0
        ? Long.SIZE - Long.numberOfLeadingZeros(low)
        : 2 * Long.SIZE - Long.numberOfLeadingZeros(high);
  }

  /** The {@code bits} bits from {@code at} on; at most 32 of them. */
  int bits(int at, int bits) {
    long shifted =
        at >= Long.SIZE
            ? high >>> (at - Long.SIZE)
            : at == 0 ? low : (low >>> at) | (high << (Long.SIZE - at));
    return (int) (shifted & ((1L << bits) - 1));
  }

  public Wide min(Wide other) {
    return compareTo(other) <= 0 ? this : other;
  }

  /** Sixteen bytes, the most significant first. */
  public byte[] bytes() {
    byte[] bytes = new byte[BYTES];
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[i] = (byte) (high >>> (56 - 8 * i));
      bytes[Long.BYTES + i] = (byte) (low >>> (56 - 8 * i));
    }
    return bytes;
  }

  @Override
  public int compareTo(Wide other) {
    return high == other.high
        ? Long.compareUnsigned(low, other.low)
        : Long.compare(high, other.high);
  }

  /** In decimal. */
  @Override
  public String toString() {
    if (high == 0) {
      return Long.toUnsignedString(low);
    }
    int[] limbs = WideDivision.limbs(this);
    var groups = new StringBuilder();
    for (int length = limbs.length; length > 0; ) {
      int group = WideDivision.divideInPlace(limbs, BILLION);
      while (length > 0 && limbs[length - 1] == 0) {
        length--;
      }
      String digits = Integer.toString(group);
      groups.insert(0, length == 0 ? digits : "0".repeat(9 - digits.length()) + digits);
    }
    return groups.toString();
  }
}
