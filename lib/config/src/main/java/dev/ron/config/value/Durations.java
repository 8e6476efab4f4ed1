package dev.ron.config.value;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as the configuration writes them: a whole number and one unit, {@code 250ms}, {@code
 * 7d}.
 *
 * <p>A number without a unit is refused: many outages begin with a timeout given in seconds and
 * read as milliseconds.
 */
public final class Durations {
  /** A hundred years: past any use, and its nanoseconds still fit a long. */
  static final Duration MAX = Duration.ofDays(36_500);

  private static final Pattern FORM = Pattern.compile("([0-9]{1,19})(ns|us|ms|s|m|h|d)");
  private static final String HINT =
      "must be a duration: a whole number and a unit (ms, s, m, h, d), as in 250ms or 5s";

  private Durations() {}

  /** Reads {@code 250ms}, {@code 5s}, {@code 10m}, {@code 24h}, {@code 7d}. */
  public static Duration parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(HINT + isoHint(text));
    }
    Unit unit = Unit.valueOf(matcher.group(2));
    // Nineteen digits may be too many for a signed long, but never for an unsigned one.
    long count = Long.parseUnsignedLong(matcher.group(1));
    if (Long.compareUnsigned(count, MAX.toNanos() / unit.nanos) > 0) {
      throw new IllegalArgumentException("must not be longer than " + format(MAX));
    }
    return Duration.ofNanos(count * unit.nanos);
  }

  /**
   * Like {@link #parse}, of a flag of the command line.
   *
   * @throws IllegalArgumentException naming the flag and what was given
   */
  public static Duration ofFlag(String flag, String text) {
    try {
      return parse(text);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(
          "%s %s: %s".formatted(flag, Literal.printable(text), wrong.getMessage()), wrong);
    }
  }

  /** The same duration in the largest unit that holds it exactly; {@link #parse} reads it back. */
  public static String format(Duration duration) {
    if (duration.isNegative() || duration.compareTo(MAX) > 0) {
      return duration.toString();
    }
    long nanos = duration.toNanos();
    if (nanos == 0) {
      return "0s";
    }
    Unit largest = Unit.ns;
    for (Unit unit : Unit.values()) {
      largest = nanos % unit.nanos == 0 ? unit : largest;
    }
    return nanos / largest.nanos + largest.name();
  }

  private static String isoHint(String text) {
    if (!text.startsWith("P")) {
      return "";
    }
    String hint = "; ISO 8601 forms are not read";
    try {
      Duration duration = Duration.parse(text);
      boolean isWritable = !duration.isNegative() && duration.compareTo(MAX) <= 0;
      return isWritable ? hint + ", write " + format(duration) : hint;
    } catch (DateTimeParseException _) {
      return hint;
    }
  }

  /** Named as written, from small to large. */
  private enum Unit {
    ns(1),
    us(1_000),
    ms(1_000_000),
    s(1_000_000_000),
    m(60_000_000_000L),
    h(3_600_000_000_000L),
    d(86_400_000_000_000L);

    private final long nanos;

    Unit(long nanos) {
      this.nanos = nanos;
    }
  }
}
