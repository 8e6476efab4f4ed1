package dev.ron.http.field;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/**
 * A moment in whole seconds, as HTTP writes it (RFC 9110 section 5.6.7).
 *
 * <p>Reading is strict: the three forms exactly, GMT only, and a day name that belongs to the date,
 * because a date that two parsers read differently is worse as a validator than none.
 *
 * <p>Threading: immutable.
 */
public record HttpDate(Instant instant) implements Comparable<HttpDate> {
  private static final List<String> DAYS =
      List.of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday");
  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  /** Cuts to the second, so that what was written compares equal with what is read back. */
  public HttpDate {
    instant = Instant.ofEpochSecond(instant.getEpochSecond());
    if (instant.isBefore(FIRST) || instant.isAfter(LAST)) {
      throw new IllegalArgumentException("an HTTP date has a year from 1 to 9999");
    }
  }

  /**
   * Reads IMF-fixdate, RFC 850 and asctime.
   *
   * @param now decides the century of RFC 850's two digits: at most 50 years ahead
   */
  public static ParseResult<HttpDate> parse(String text, Instant now) {
    int comma = text.indexOf(',');
    int year;
    String rest;
    String day;
    if (comma == 3 && text.length() == 29) {
      day = matching(text.substring(0, 3), 3);
      rest = shape(text.substring(3), ", dd mmm yyyy hh:mm:ss GMT") ? text.substring(5) : "";
      year = rest.isEmpty() ? 0 : number(rest, 7, 4);
    } else if (comma > 5 && text.length() == comma + 24) {
      day = matching(text.substring(0, comma), comma);
      rest =
          shape(text.substring(comma), ", dd-mmm-yy hh:mm:ss GMT") ? text.substring(comma + 2) : "";
      year = rest.isEmpty() ? 0 : century(number(rest, 7, 2), now);
      rest = rest.isEmpty() ? rest : rest.substring(0, 7) + "20" + rest.substring(7);
    } else if (text.length() == 24) {
      day = matching(text.substring(0, 3), 3);
      rest = shape(text.substring(3), " mmm _d hh:mm:ss yyyy") ? reordered(text) : "";
      year = rest.isEmpty() ? 0 : number(rest, 7, 4);
    } else {
      return ParseResult.bad("not an HTTP date");
    }
    return day.isEmpty() || rest.isEmpty()
        ? ParseResult.bad("not an HTTP date")
        : assembled(day, rest, year);
  }

  /** {@code rest} is {@code dd mmm yyyy hh:mm:ss}, whatever the separators. */
  private static ParseResult<HttpDate> assembled(String day, String rest, int year) {
    int month = MONTHS.indexOf(rest.substring(3, 6)) + 1;
    int hour = number(rest, 12, 2);
    int minute = number(rest, 15, 2);
    int second = number(rest, 18, 2);
    boolean leap = hour == 23 && minute == 59 && second == 60;
    if (month == 0 || year == 0 || hour > 23 || minute > 59 || (second > 59 && !leap)) {
      return ParseResult.bad("no such time");
    }
    try {
      LocalDate date = LocalDate.of(year, month, number(rest, 0, 2));
      if (!DAYS.get(date.getDayOfWeek().getValue() - 1).equals(day)) {
        return ParseResult.bad("the day of the week is not that of the date");
      }
      long start = date.toEpochDay() * 86_400L;
      long epochSecond = start + hour * 3600L + minute * 60L + second;
      return epochSecond > LAST.getEpochSecond()
          ? ParseResult.bad("no such time")
          : ParseResult.ok(new HttpDate(Instant.ofEpochSecond(epochSecond)));
    } catch (DateTimeException _) {
      return ParseResult.bad("no such day");
    }
  }

  /** IMF-fixdate, the one form that may be sent. */
  @Override
  public String toString() {
    var time = instant.atOffset(ZoneOffset.UTC);
    DayOfWeek day = time.getDayOfWeek();
    return DAYS.get(day.getValue() - 1).substring(0, 3)
        + ", "
        + padded(time.getDayOfMonth(), 2)
        + ' '
        + MONTHS.get(time.getMonthValue() - 1)
        + ' '
        + padded(time.getYear(), 4)
        + ' '
        + padded(time.getHour(), 2)
        + ':'
        + padded(time.getMinute(), 2)
        + ':'
        + padded(time.getSecond(), 2)
        + " GMT";
  }

  @Override
  public int compareTo(HttpDate other) {
    return instant.compareTo(other.instant);
  }

  private static String reordered(String asctime) {
    String day = asctime.substring(8, 10).replace(' ', '0');
    return day
        + ' '
        + asctime.substring(4, 7)
        + ' '
        + asctime.substring(20)
        + asctime.substring(10, 19);
  }

  private static int century(int twoDigits, Instant now) {
    int thisYear = now.atOffset(ZoneOffset.UTC).getYear();
    int year = thisYear - Math.floorMod(thisYear, 100) + twoDigits;
    return year > thisYear + 50 ? year - 100 : year;
  }

  /** The full name of a day given by its first {@code length} letters, or empty. */
  private static String matching(String name, int length) {
    return DAYS.stream()
        .filter(day -> (length == 3 ? day.substring(0, 3) : day).equals(name))
        .findFirst()
        .orElse("");
  }

  /** Digits where the pattern has d, h, s, y or a lone m pair; letters for mmm; else itself. */
  private static boolean shape(String text, String pattern) {
    if (text.length() != pattern.length()) {
      return false;
    }
    String shape = pattern.replace("mmm", "aaa");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean fits =
          switch (shape.charAt(i)) {
            case 'd', 'h', 'm', 's', 'y' -> FieldCursor.isDigit(c);
            case 'a' -> Character.isLetter(c);
            case '_' -> c == ' ' || FieldCursor.isDigit(c);
            default -> c == shape.charAt(i);
          };
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  private static int number(String text, int from, int digits) {
    return Integer.parseInt(text, from, from + digits, 10);
  }

  private static String padded(int number, int width) {
    String plain = Integer.toString(number);
    return "0".repeat(width - plain.length()) + plain;
  }
}
