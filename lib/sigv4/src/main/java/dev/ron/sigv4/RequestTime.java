package dev.ron.sigv4;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/**
 * When a request was signed, with the text that is signed: {@code 20261115T103000Z}.
 *
 * <p>Threading: immutable.
 */
record RequestTime(Instant at, String text) {
  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT);

  static RequestTime of(Instant at) {
    return new RequestTime(at, FORM.format(at.atZone(ZoneOffset.UTC)));
  }

  /** Reads the compact form and no other. */
  static Optional<RequestTime> parse(String text) {
    if (text.length() != 16 || text.charAt(8) != 'T' || text.charAt(15) != 'Z') {
      return Optional.empty();
    }
    try {
      int year = 100 * two(text, 0) + two(text, 2);
      LocalDateTime at =
          LocalDateTime.of(
              year, two(text, 4), two(text, 6), two(text, 9), two(text, 11), two(text, 13));
      return Optional.of(new RequestTime(at.toInstant(ZoneOffset.UTC), text));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  private static int two(String text, int at) {
    int high = text.charAt(at) - '0';
    int low = text.charAt(at + 1) - '0';
    if (high < 0 || high > 9 || low < 0 || low > 9) {
      throw new DateTimeException("no digits");
    }
    return 10 * high + low;
  }

  /** Reads a {@code Date} field, which is signed as if it were in the compact form. */
  static Optional<RequestTime> parseDate(String text) {
    Optional<RequestTime> compact = parse(text);
    if (compact.isPresent()) {
      return compact;
    }
    try {
      return Optional.of(
          of(ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant()));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  /** The day, as the scope has it. */
  String date() {
    return text.substring(0, 8);
  }
}
