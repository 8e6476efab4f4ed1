package dev.ron.http.field;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The name of one request across services and logs ({@code X-Corr-ID}).
 *
 * <p>A caller's own is taken if it has 1 to 128 visible ASCII characters and no separator, so that
 * it can stand in a log line, a header and a JSON string without being quoted in any of them.
 *
 * <p>Threading: immutable.
 */
public record CorrelationId(String value) {
  public static final String FIELD = "x-corr-id";
  static final int CHARS_MAX = 128;

  public CorrelationId {
    if (value.length() > CHARS_MAX || !FieldCursor.isToken(value)) {
      throw new IllegalArgumentException("not a correlation id");
    }
  }

  public static Parsed<CorrelationId> parse(String text) {
    return text.length() <= CHARS_MAX && FieldCursor.isToken(text)
        ? Parsed.ok(new CorrelationId(text))
        : Parsed.bad("not 1 to 128 visible characters without separators");
  }

  /** The caller's, if there is exactly one and it is fit; else a new one. */
  public static CorrelationId takeOrMake(List<String> lines, RandomGenerator random, Instant now) {
    return lines.size() == 1 && parse(lines.getFirst()) instanceof Parsed.Ok<CorrelationId>(var id)
        ? id
        : make(random, now);
  }

  /** A UUID of version 7 (RFC 9562): sorts by time, to the millisecond. */
  public static CorrelationId make(RandomGenerator random, Instant now) {
    long millis = now.toEpochMilli() & 0xffff_ffff_ffffL;
    long high = millis << 16 | 0x7000L | (random.nextLong() & 0xfffL);
    long low = 0x8000_0000_0000_0000L | (random.nextLong() & 0x3fff_ffff_ffff_ffffL);
    return new CorrelationId(new UUID(high, low).toString());
  }

  @Override
  public String toString() {
    return value;
  }
}
