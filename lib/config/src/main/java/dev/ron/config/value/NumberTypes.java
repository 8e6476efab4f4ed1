package dev.ron.config.value;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * The types of numbers: whole ones and exact decimals. No binary fraction leaves this file, so that
 * {@code 0.02} is exactly two hundredths.
 */
public final class NumberTypes {
  private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,19}");
  private static final Pattern DECIMAL = Pattern.compile("[+-]?[0-9]{1,30}(\\.[0-9]{1,30})?");

  /**
   * Decimals of this many digits survive the way through a double unchanged; TOML's are doubles.
   */
  private static final int DOUBLE_DIGITS = 15;

  public static final ValueType<Long> LONG =
      new ValueType<>("integer", NumberTypes::whole, n -> n, Comparator.naturalOrder(), 0L);
  public static final ValueType<BigDecimal> DECIMALS =
      new ValueType<>(
          "decimal", NumberTypes::decimal, n -> n, Comparator.naturalOrder(), BigDecimal.ZERO);

  private NumberTypes() {}

  public static ValueType<Integer> integer(int min, int max) {
    ValueType<Long> bounded = LONG.from((long) min, (long) max);
    return new ValueType<>(
        bounded.name(),
        raw -> Math.toIntExact(bounded.read().apply(raw)),
        n -> n.longValue(),
        Comparator.naturalOrder(),
        0);
  }

  private static long whole(RawValue raw) {
    if (raw.value() instanceof Long value) {
      return value;
    }
    boolean isNumber = raw.value() instanceof String text && WHOLE.matcher(text).matches();
    if (isNumber && raw.isText()) {
      try {
        return Long.parseLong((String) raw.value());
      } catch (NumberFormatException _) {
        throw new IllegalArgumentException("must be a whole number below 2^63");
      }
    }
    throw new IllegalArgumentException(
        "must be a whole number" + (isNumber ? ", without quotes" : ""));
  }

  /** Text in quotes is read too: it is the way to give a file more digits than a double holds. */
  private static BigDecimal decimal(RawValue raw) {
    BigDecimal value =
        switch (raw.value()) {
          case Long whole -> BigDecimal.valueOf(whole);
          case Double binary when Double.isFinite(binary) -> fromDouble(binary);
          case String text when DECIMAL.matcher(text).matches() -> new BigDecimal(text);
          default -> throw new IllegalArgumentException("must be a decimal number, as in 0.02");
        };
    // Equal numbers must be equal objects, whatever zeros were typed after the point.
    return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
  }

  private static BigDecimal fromDouble(double binary) {
    BigDecimal value = BigDecimal.valueOf(binary);
    if (value.stripTrailingZeros().precision() > DOUBLE_DIGITS) {
      throw new IllegalArgumentException(
          "has more than " + DOUBLE_DIGITS + " digits; put it in quotes to keep them all");
    }
    return value;
  }
}
