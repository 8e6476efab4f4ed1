package dev.ron.http.field;

import java.math.BigDecimal;
import java.util.Arrays;

/**
 * A value without parameters in a structured field (RFC 9651 section 3.3). {@code StructuredReader}
 * alone makes them, and holds the limits of the format.
 *
 * <p>Threading: immutable.
 */
public sealed interface BareItem {
  record Int(long value) implements BareItem {}

  /** Exact: at most twelve digits before the point, three behind. */
  record Decimal(BigDecimal value) implements BareItem {}

  /** A string of printable ASCII. */
  record Text(String value) implements BareItem {}

  record Token(String value) implements BareItem {}

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
  }

  record Bool(boolean value) implements BareItem {}

  /** Seconds since 1970, without leap seconds. */
  record Date(long epochSecond) implements BareItem {}

  /** A string of any Unicode, for people to read. */
  record Display(String value) implements BareItem {}
}
