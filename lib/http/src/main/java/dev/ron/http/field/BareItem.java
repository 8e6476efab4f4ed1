package dev.ron.http.field;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A value without parameters in a structured field (RFC 9651 section 3.3). Each constructor holds
 * the limits of the format, so a value that exists can be written.
 *
 * <p>Threading: immutable.
 */
public sealed interface BareItem {
  /** Fifteen digits, so that every implementation keeps it exactly. */
  long INTEGER_MAX = 999_999_999_999_999L;

  record Int(long value) implements BareItem {
    public Int {
      require(Math.abs(value) <= INTEGER_MAX && value != Long.MIN_VALUE, "at most 15 digits");
    }
  }

  /** Exact: twelve digits before the point, three behind; what is finer is rounded half to even. */
  record Decimal(BigDecimal value) implements BareItem {
    private static final BigDecimal LIMIT = new BigDecimal("1000000000000");

    public Decimal {
      // The size is looked at first: rounding 1E+999999999 would write out all its digits.
      long magnitude = value.precision() - (long) value.scale();
      require(magnitude <= 13, "at most 12 digits before the point");
      value = magnitude < -3 ? BigDecimal.ZERO : value;
      value = value.setScale(3, RoundingMode.HALF_EVEN).stripTrailingZeros();
      value = value.scale() < 1 ? value.setScale(1) : value;
      require(value.abs().compareTo(LIMIT) < 0, "at most 12 digits before the point");
    }
  }

  /** A string of printable ASCII. */
  record Text(String value) implements BareItem {
    public Text {
      require(value.chars().allMatch(c -> c >= 0x20 && c <= 0x7e), "printable ASCII only");
    }
  }

  record Token(String value) implements BareItem {
    public Token {
      require(
          !value.isEmpty()
              && startsToken(value.charAt(0))
              && value.chars().allMatch(c -> continuesToken((char) c)),
          "a token");
    }

    static boolean startsToken(char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '*';
    }

    static boolean continuesToken(char c) {
      return FieldCursor.isTokenChar(c) || c == ':' || c == '/';
    }
  }

  /** Holds its own copy and hands out copies, which a record with an array would not. */
  final class Bytes implements BareItem {
    private final byte[] value;

    public Bytes(byte[] value) {
      this.value = value.clone();
    }

    public byte[] value() {
      return value.clone();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Bytes that && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(value);
    }

    @Override
    public String toString() {
      return "Bytes[" + HexFormat.of().formatHex(value) + "]";
    }
  }

  record Bool(boolean value) implements BareItem {}

  /** Seconds since 1970, without leap seconds. */
  record Date(long epochSecond) implements BareItem {
    public Date {
      require(
          Math.abs(epochSecond) <= INTEGER_MAX && epochSecond != Long.MIN_VALUE,
          "at most 15 digits");
    }
  }

  /** A string of any Unicode, for people to read. */
  record Display(String value) implements BareItem {
    public Display {
      require(value.codePoints().noneMatch(c -> c >= 0xd800 && c <= 0xdfff), "no lone surrogates");
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalArgumentException("a structured field has " + what);
    }
  }
}
