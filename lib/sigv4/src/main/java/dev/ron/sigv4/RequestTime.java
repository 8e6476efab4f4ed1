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
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT)
          .withResolverStyle(java.time.format.ResolverStyle.STRICT);

  static RequestTime of(Instant at) {
    return new RequestTime(at, FORM.format(at.atZone(ZoneOffset.UTC)));
  }

  /** Reads the compact form and no other. */
  static Optional<RequestTime> parse(String text) {
    if (text.length() != 16) {
      return Optional.empty();
    }
    try {
      Instant at = LocalDateTime.parse(text, FORM).toInstant(ZoneOffset.UTC);
      return Optional.of(new RequestTime(at, text));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
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
