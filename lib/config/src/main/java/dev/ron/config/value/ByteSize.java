package dev.ron.config.value;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes, written with its unit: {@code 64KiB} is 65 536 bytes, {@code 64KB} is 64 000.
 *
 * <p>Threading: immutable.
 */
public record ByteSize(long bytes) implements Comparable<ByteSize> {
  public static final ByteSize ZERO = new ByteSize(0);

  private static final Pattern FORM = Pattern.compile("([0-9]{1,19})([A-Za-z]+)");
  private static final String HINT =
      "must be a size: a whole number and a unit (B, KB, KiB, MB, MiB, GB, GiB, TB, TiB), as in 64KiB";

  public ByteSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes = " + bytes + " must not be negative");
    }
  }

  /** Reads {@code 0B}, {@code 64KiB}, {@code 10GB}; the unit's case matters, as it does in SI. */
  public static ByteSize parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(HINT);
    }
    Unit unit = unit(matcher.group(2));
    try {
      return new ByteSize(Math.multiplyExact(Long.parseLong(matcher.group(1)), unit.bytes));
    } catch (ArithmeticException | NumberFormatException _) {
      throw new IllegalArgumentException("must be less than 8388608TiB");
    }
  }

  private static Unit unit(String name) {
    Unit close = null;
    for (Unit unit : Unit.values()) {
      if (unit.name().equals(name)) {
        return unit;
      }
      close = unit.name().equalsIgnoreCase(name) ? unit : close;
    }
    throw new IllegalArgumentException(close == null ? HINT : HINT + "; write " + close);
  }

  @Override
  public int compareTo(ByteSize other) {
    return Long.compare(bytes, other.bytes);
  }

  /** In the unit that needs the smallest whole number; {@link #parse} reads it back. */
  @Override
  public String toString() {
    Unit best = Unit.B;
    if (bytes > 0) {
      for (Unit unit : Unit.values()) {
        best = bytes % unit.bytes == 0 && unit.bytes > best.bytes ? unit : best;
      }
    }
    return bytes / best.bytes + best.name();
  }

  /** Named as written. */
  private enum Unit {
    B(1),
    KB(1_000),
    KiB(1 << 10),
    MB(1_000_000),
    MiB(1 << 20),
    GB(1_000_000_000),
    GiB(1 << 30),
    TB(1_000_000_000_000L),
    TiB(1L << 40);

    private final long bytes;

    Unit(long bytes) {
      this.bytes = bytes;
    }
  }
}
