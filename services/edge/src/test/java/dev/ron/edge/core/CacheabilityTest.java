package dev.ron.edge.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One row for each clause of RFC 9111 about what may be kept. */
final class CacheabilityTest {
  /** Clause; method and request; status and answer; whether it is kept. */
  private static final String TABLE =
      """
      3     explicit freshness     ; GET -                           ; 200 Cache-Control: max-age=60                  ; keep
      3     another method         ; POST -                          ; 200 Cache-Control: max-age=60                  ; drop
      3     HEAD has no bytes      ; HEAD -                          ; 200 Cache-Control: max-age=60                  ; drop
      3     304 is no answer       ; GET -                           ; 304 Cache-Control: max-age=60                  ; drop
      3     unknown status, told   ; GET -                           ; 599 Cache-Control: max-age=60                  ; keep
      3     unknown status, untold ; GET -                           ; 599 ETag: "a"                                  ; drop
      3     unknown status, public ; GET -                           ; 599 Cache-Control: public | Last-Modified: Mon, 01 Jan 2024 11:00:00 GMT ; keep
      4.2.2 guess for 200          ; GET -                           ; 200 Last-Modified: Mon, 01 Jan 2024 11:00:00 GMT ; keep
      4.2.2 no guess for 201       ; GET -                           ; 201 Last-Modified: Mon, 01 Jan 2024 11:00:00 GMT ; drop
      4.2.2 no guess for 403       ; GET -                           ; 403 Last-Modified: Mon, 01 Jan 2024 11:00:00 GMT ; drop
      4.2   never of use           ; GET -                           ; 200 -                                          ; drop
      4.2   stale but validatable  ; GET -                           ; 200 Cache-Control: max-age=0 | ETag: "a"       ; keep
      4.2   stale but excusable    ; GET -                           ; 200 Cache-Control: max-age=0, stale-if-error=9 ; keep
      5.2.2.5 no-store             ; GET -                           ; 200 Cache-Control: no-store, max-age=60        ; drop
      5.2.2.5 in any case          ; GET -                           ; 200 Cache-Control: No-StOrE, max-age=60        ; drop
      5.2.1.5 client's no-store    ; GET Cache-Control: no-store     ; 200 Cache-Control: max-age=60                  ; drop
      5.2.2.7 private              ; GET -                           ; 200 Cache-Control: private, max-age=60         ; drop
      5.2.2.7 private for a field  ; GET -                           ; 200 Cache-Control: private="x", max-age=60     ; keep
      5.2.2.3 must-understand, do  ; GET -                           ; 200 Cache-Control: no-store, must-understand, max-age=60 ; keep
      5.2.2.3 must-understand, not ; GET -                           ; 599 Cache-Control: must-understand, max-age=60 ; drop
      3.5   authorized             ; GET Authorization: Basic x      ; 200 Cache-Control: max-age=60                  ; drop
      3.5   public                 ; GET Authorization: Basic x      ; 200 Cache-Control: max-age=60, public          ; keep
      3.5   must-revalidate        ; GET Authorization: Basic x      ; 200 Cache-Control: max-age=60, must-revalidate ; keep
      3.5   s-maxage               ; GET Authorization: Basic x      ; 200 Cache-Control: s-maxage=60                 ; keep
      7.3   cookie                 ; GET Cookie: a=1                 ; 200 Cache-Control: max-age=60                  ; drop
      7.3   cookie, public         ; GET Cookie: a=1                 ; 200 Cache-Control: max-age=60, public          ; keep
      7.3   cookie, s-maxage       ; GET Cookie: a=1                 ; 200 Cache-Control: s-maxage=60                 ; keep
      7.3   cookie, must-revalidate; GET Cookie: a=1                 ; 200 Cache-Control: max-age=60, must-revalidate ; drop
      7.3   chosen by the cookie   ; GET Cookie: a=1                 ; 200 Cache-Control: s-maxage=60 | Vary: Cookie  ; drop
      7.3   sets a cookie          ; GET -                           ; 200 Cache-Control: max-age=60 | Set-Cookie: a  ; drop
      7.3   sets one, public       ; GET -                           ; 200 Cache-Control: public, max-age=60 | Set-Cookie: a ; keep
      7.3   sets one kept out      ; GET -                           ; 200 Cache-Control: max-age=60, no-cache="Set-Cookie" | Set-Cookie: a ; keep
      4.1   Vary: *                ; GET -                           ; 200 Cache-Control: max-age=60 | Vary: a, *     ; drop
      9213  told to others only    ; GET -                           ; 200 Cache-Control: no-store | CDN-Cache-Control: max-age=60 ; keep
      9213  told to this cache     ; GET -                           ; 200 Cache-Control: max-age=60 | CDN-Cache-Control: no-store ; drop
      """;

  static Stream<String> rows() {
    return TABLE.lines();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aClauseDecides(String row) {
    String[] cells = row.split(";", -1);
    String[] asked = cells[1].strip().split(" ", 2);
    String[] answer = cells[2].strip().split(" ", 2);
    Cacheability.Verdict verdict =
        Cacheability.decide(
            Heads.request(asked[0], asked[1]),
            Integer.parseInt(answer[0]),
            Heads.of(answer[1]),
            Heads.NOON,
            Heads.NOON);
    assertThat(verdict.clause()).isNotBlank();
    assertThat(verdict instanceof Cacheability.Verdict.Keep ? "keep" : "drop")
        .as(cells[0] + ": " + verdict.clause())
        .isEqualTo(cells[3].strip());
  }

  @Test
  void theHeadIsKeptWithoutWhatWasForTheConnectionOrForOthers() {
    Headers kept =
        Cacheability.head(
            200,
            Heads.of(
                "Connection: a, close | A: 1 | Keep-Alive: 5 | Content-Length: 3 | TE: x"
                    + " | Cache-Control: no-cache=\"set-cookie\", private=\"B\" | Set-Cookie: s"
                    + " | B: 2 | C: 3"),
            Heads.NOON);
    assertThat(kept.toString()).isEqualTo("Headers[Cache-Control, C, Date]");
    assertThat(kept.first("Date")).as("given one").isEqualTo(Heads.DATE);
  }

  @Test
  void aPartIsKeptWithoutItsRangeAndAWholeWithWhatItSaid() {
    Headers answer = Heads.of("Content-Range: bytes 0-1/10");
    assertThat(Cacheability.head(206, answer, Heads.NOON).has("Content-Range")).isFalse();
    assertThat(Cacheability.head(200, answer, Heads.NOON).has("Content-Range")).isTrue();
  }
}
