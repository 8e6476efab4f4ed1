package dev.ron.http.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.testkit.Seed;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpDateTest {
  private static final Instant NOW = Instant.parse("2026-11-15T00:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Sun, 06 Nov 1994 08:49:37 GMT     | Sun, 06 Nov 1994 08:49:37 GMT
          Sunday, 06-Nov-94 08:49:37 GMT    | Sun, 06 Nov 1994 08:49:37 GMT
          Sun Nov  6 08:49:37 1994          | Sun, 06 Nov 1994 08:49:37 GMT
          Sun Nov 13 08:49:37 1994          | Sun, 13 Nov 1994 08:49:37 GMT
          Thu, 01 Jan 1970 00:00:00 GMT     | Thu, 01 Jan 1970 00:00:00 GMT
          Thu, 29 Feb 2024 23:59:59 GMT     | Thu, 29 Feb 2024 23:59:59 GMT
          Sat, 31 Dec 2016 23:59:60 GMT     | Sun, 01 Jan 2017 00:00:00 GMT
          Fri, 31 Dec 9999 23:59:59 GMT     | Fri, 31 Dec 9999 23:59:59 GMT
          Mon, 01 Jan 0001 00:00:00 GMT     | Mon, 01 Jan 0001 00:00:00 GMT
          Tuesday, 01-Jan-75 00:00:00 GMT   | Tue, 01 Jan 2075 00:00:00 GMT
          Saturday, 01-Jan-77 00:00:00 GMT  | Sat, 01 Jan 1977 00:00:00 GMT
          Friday, 31-Dec-99 00:00:00 GMT    | Fri, 31 Dec 1999 00:00:00 GMT
          Wednesday, 01-Jan-76 00:00:00 GMT | Wed, 01 Jan 2076 00:00:00 GMT
          """)
  void goodForms(String text, String imf) {
    assertThat(Shown.of(HttpDate.parse(text, NOW))).isEqualTo(imf);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                                | not an HTTP date
          0                                 | not an HTTP date
          Sun, 06 Nov 1994 08:49:37 UTC     | not an HTTP date
          Sun, 06 Nov 1994 08:49:37 +00     | not an HTTP date
          Sun, 06 Nov 1994 08:49:37         | not an HTTP date
          sun, 06 Nov 1994 08:49:37 GMT     | not an HTTP date
          Sun, 6 Nov 1994 08:49:37 GMT      | not an HTTP date
          Sun, 06 Nov 1994  8:49:37 GMT     | not an HTTP date
          Sun, 06 Nov 1994 08:49:37 gmt     | not an HTTP date
          ` Sun, 06 Nov 1994 08:49:37 GMT`  | not an HTTP date
          Sun, 06-Nov-1994 08:49:37 GMT     | not an HTTP date
          Sun, 06-Nov-94 08:49:37 GMT       | not an HTTP date
          Sun, ٠٦ Nov 1994 08:49:37 GMT     | not an HTTP date
          Sun Nov 06 08:49:37 94            | not an HTTP date
          1994-11-06T08:49:37Z              | not an HTTP date
          Sun, 06 nov 1994 08:49:37 GMT     | no such time
          Sun, 06 Nov 1994 24:00:00 GMT     | no such time
          Sun, 06 Nov 1994 08:60:37 GMT     | no such time
          Sun, 06 Nov 1994 08:49:60 GMT     | no such time
          Sat, 01 Jan 0000 00:00:00 GMT     | no such time
          Fri, 31 Dec 9999 23:59:60 GMT     | no such time
          Wed, 29 Feb 2023 00:00:00 GMT     | no such day
          Sun, 00 Nov 1994 08:49:37 GMT     | no such day
          Mon, 06 Nov 1994 08:49:37 GMT     | the day of the week is not that of the date
          Monday, 06-Nov-94 08:49:37 GMT    | the day of the week is not that of the date
          """)
  void badForms(String text, String why) {
    assertThat(Shown.of(HttpDate.parse(text, NOW))).isEqualTo("bad: " + why);
  }

  @Test
  void allThreeFormsAgreeWithTheJdk() {
    var seed = Seed.fresh();
    var random = seed.random();
    var rfc850 = DateTimeFormatter.ofPattern("EEEE, dd-MMM-yy HH:mm:ss 'GMT'", Locale.US);
    var asctime = DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.US);
    var imf = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);
    for (int i = 0; i < 20_000; i++) {
      // From 1977 to 2076, where two digits mean what they say.
      Instant instant = Instant.ofEpochSecond(random.nextLong(220_924_800L, 3_376_684_800L));
      var time = instant.atOffset(ZoneOffset.UTC);
      var date = new HttpDate(instant.plusNanos(random.nextInt(1_000_000_000)));
      assertThat(date).as(seed.toString()).hasToString(imf.format(time));
      for (var form : new DateTimeFormatter[] {imf, rfc850, asctime}) {
        assertThat(HttpDate.parse(form.format(time), NOW).asOptional())
            .as(seed.toString())
            .contains(date);
      }
    }
  }

  @Test
  void aYearThatCannotBeWrittenIsABug() {
    assertThatThrownBy(() -> new HttpDate(Instant.MAX))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new HttpDate(Instant.MIN))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
