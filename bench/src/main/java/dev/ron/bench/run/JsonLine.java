package dev.ron.bench.run;

import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object on one line, fields in the order they were added.
 *
 * <p>Threading: owned by its builder.
 */
public final class JsonLine {
  /** No measurement here is good to more than six digits; more would only look exact. */
  private static final MathContext DIGITS = new MathContext(6);

  private final StringBuilder json = new StringBuilder("{");

  public JsonLine text(String key, @Nullable String value) {
    key(key);
    if (value == null) {
      json.append("null");
    } else {
      quote(value);
    }
    return this;
  }

  /** A number rounded to six significant digits; JSON has no infinity, so those are refused. */
  public JsonLine number(String key, @Nullable Double value) {
    key(key);
    if (value == null) {
      json.append("null");
    } else if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(key + " is " + value + ", which JSON cannot say");
    } else {
      json.append(new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString());
    }
    return this;
  }

  public JsonLine integer(String key, long value) {
    key(key);
    json.append(value);
    return this;
  }

  @Override
  public String toString() {
    return json + "}";
  }

  private void key(String key) {
    if (json.length() > 1) {
      json.append(',');
    }
    quote(key);
    json.append(':');
  }

  private void quote(String value) {
    json.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        default -> {
          if (c < 0x20 || c == 0x7f || lineSeparator(c) || loneSurrogate(value, i)) {
            escape(c);
          } else {
            json.append(c);
          }
        }
      }
    }
    json.append('"');
  }

  private void escape(char c) {
    json.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      json.append(Character.forDigit((c >> shift) & 0xf, 16));
    }
  }

  /** Legal inside JSON, yet some readers of lines break at them. */
  private static boolean lineSeparator(char c) {
    return c == '\u0085' || c == '\u2028' || c == '\u2029';
  }

  /** Half a pair has no UTF-8 form: written raw it would come out as a question mark. */
  private static boolean loneSurrogate(String value, int at) {
    char c = value.charAt(at);
    if (Character.isHighSurrogate(c)) {
      return at + 1 == value.length() || !Character.isLowSurrogate(value.charAt(at + 1));
    }
    return Character.isLowSurrogate(c)
        && (at == 0 || !Character.isHighSurrogate(value.charAt(at - 1)));
  }
}
