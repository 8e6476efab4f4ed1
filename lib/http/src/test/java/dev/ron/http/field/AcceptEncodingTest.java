package dev.ron.http.field;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.decode.ContentCoding;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptEncodingTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # field                       | there                 | chosen
          ``                            | zstd gzip identity    | identity
          gzip                          | zstd gzip identity    | gzip
          gzip, br, zstd                | zstd br gzip identity | zstd
          gzip, br, zstd                | br zstd gzip identity | br
          gzip;q=1.0, zstd;q=0.9        | zstd gzip identity    | gzip
          gzip;q=0.5, zstd;q=0.500      | zstd gzip identity    | zstd
          GZIP;Q=1                      | zstd gzip identity    | gzip
          x-gzip                        | gzip identity         | gzip
          deflate                       | gzip identity         | identity
          *                             | zstd gzip identity    | zstd
          *;q=0.1, gzip                 | zstd gzip identity    | gzip
          zstd;q=0, *                   | zstd gzip identity    | gzip
          gzip;q=0                      | gzip identity         | identity
          gzip;q=0                      | gzip                  | none
          identity;q=0                  | identity              | none
          *;q=0                         | gzip identity         | none
          *;q=0, identity               | gzip identity         | identity
          identity;q=0, gzip;q=0.001    | gzip identity         | gzip
          identity, gzip;q=0.5          | gzip identity         | identity
          gzip;q=0.001                  | gzip identity         | gzip
          gzip;q=0, gzip                | gzip identity         | identity
          # elements that cannot be read are skipped
          gzip;q=1.001                  | gzip identity         | identity
          gzip;q=2                      | gzip identity         | identity
          gzip;q=0.1234                 | gzip identity         | identity
          gzip;q=-1                     | gzip identity         | identity
          gzip;q=                       | gzip identity         | identity
          gzip;level=9                  | gzip identity         | identity
          gzip q=1                      | gzip identity         | identity
          gzip;q=x, br                  | gzip br identity      | br
          "gzip,br", zstd               | gzip br zstd identity | zstd
          ,, gzip ; q=0.8 ,             | gzip identity         | gzip
          """)
  void choice(String field, String there, String chosen) {
    List<ContentCoding> available =
        Arrays.stream(there.split(" ", -1)).map(t -> ContentCoding.of(t).orElseThrow()).toList();
    assertThat(best(AcceptEncoding.parse(List.of(field)), available)).isEqualTo(chosen);
  }

  @Test
  void whatStandsBehindTheCapIsNotRead() {
    var there = List.of(ContentCoding.GZIP, ContentCoding.IDENTITY);
    String others = "x,".repeat(AcceptEncoding.ELEMENTS_MAX - 1);
    assertThat(best(AcceptEncoding.parse(List.of(others + "gzip")), there)).isEqualTo("gzip");
    assertThat(best(AcceptEncoding.parse(List.of("x," + others + "gzip")), there))
        .isEqualTo("identity");
    assertThat(best(AcceptEncoding.parse(List.of()), there)).isEqualTo("identity");
  }

  /** The coding of the highest weight; the earlier one where two have it. */
  private static String best(AcceptEncoding field, List<ContentCoding> there) {
    String best = "none";
    int most = 0;
    for (ContentCoding coding : there) {
      if (field.thousandths(coding) > most) {
        most = field.thousandths(coding);
        best = coding.token();
      }
    }
    return best;
  }
}
