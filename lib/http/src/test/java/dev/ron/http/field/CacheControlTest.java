package dev.ron.http.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CacheControlTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      textBlock =
          """
          # field                        | max-age    | shared     | no-store
          ``                             | -          | -          | false
          max-age=60                     | 60         | 60         | false
          Max-Age = 60                   | 60         | 60         | false
          max-age="60"                   | 60         | 60         | false
          max-age=60, s-maxage=5         | 60         | 5          | false
          s-maxage=5                     | -          | 5          | false
          public,,max-age=60 , immutable | 60         | 60         | false
          max-age=60, max-age=60         | 60         | 60         | false
          max-age=60, max-age=61         | 0          | 0          | false
          max-age                        | 0          | 0          | false
          max-age=                       | 0          | 0          | false
          max-age=-1                     | 0          | 0          | false
          max-age=1.5                    | 0          | 0          | false
          max-age=60s                    | 0          | 0          | false
          max-age=60 60                  | 0          | 0          | false
          max-age="60                    | 0          | 0          | false
          max-age=2147483649             | 2147483648 | 2147483648 | false
          max-age=99999999999999999999   | 2147483648 | 2147483648 | false
          NO-STORE                       | -          | -          | true
          no-store=x                     | -          | -          | true
          ext="no-store"                 | -          | -          | false
          ext="a, no-store", max-age=1   | 1          | 1          | false
          ext="a\\", no-store"           | -          | -          | false
          @, no-store                    | -          | -          | true
          =, max-age=3                   | 3          | 3          | false
          """)
  void lifetimes(String field, Long maxAge, Long shared, boolean noStore) {
    var control = CacheControl.parse(List.of(field));
    assertThat(control.maxAgeSeconds().isPresent() ? control.maxAgeSeconds().getAsLong() : null)
        .isEqualTo(maxAge);
    assertThat(
            control.sharedMaxAgeSeconds().isPresent()
                ? control.sharedMaxAgeSeconds().getAsLong()
                : null)
        .isEqualTo(shared);
    assertThat(control.noStore()).isEqualTo(noStore);
  }

  @Test
  void aDirectiveMayNameFields() {
    var some = CacheControl.parse(List.of("private=\"set-cookie, x\"", "no-cache"));
    assertThat(some.has("private")).isTrue();
    assertThat(some.unqualified("private")).isFalse();
    assertThat(some.argument("private")).contains("set-cookie, x");
    assertThat(some.unqualified("no-cache")).isTrue();
    assertThat(some.argument("no-cache")).isEmpty();
    // What cannot be read is meant for the whole answer.
    assertThat(CacheControl.parse(List.of("private=\"a")).unqualified("private")).isTrue();
    assertThat(CacheControl.NONE.has("private")).isFalse();
  }

  @Test
  void beyondTheCapsNothingIsStored() {
    String most = "a=1,".repeat(CacheControl.DIRECTIVES_MAX);
    assertThat(CacheControl.parse(List.of(most)).noStore()).isFalse();
    assertThat(CacheControl.parse(List.of(most + "b")).noStore()).isTrue();
    String longest = " ".repeat(CacheControl.CHARS_MAX);
    assertThat(CacheControl.parse(List.of(longest)).noStore()).isFalse();
    assertThat(CacheControl.parse(List.of(longest + " ")).noStore()).isTrue();
  }
}
