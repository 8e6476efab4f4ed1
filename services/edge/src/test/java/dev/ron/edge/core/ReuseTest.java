package dev.ron.edge.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One row for each clause of RFC 9111 about using what is stored. */
final class ReuseTest {
  /** Clause; what is stored, at noon; seconds later; the request; what is decided. */
  private static final String TABLE =
      """
      4     fresh                  ; Cache-Control: max-age=60                         ; 59   ; -                                     ; hit age=59 ttl=1
      4.2   lifetime just over     ; Cache-Control: max-age=60 | ETag: "a"             ; 60   ; -                                     ; validate stale
      4.2   stale, no validator    ; Cache-Control: max-age=60                         ; 60   ; -                                     ; forward stale
      4.2.1 s-maxage before max-age; Cache-Control: max-age=10, s-maxage=60            ; 30   ; -                                     ; hit age=30 ttl=30
      4.2.1 s-maxage shorter       ; Cache-Control: max-age=60, s-maxage=10 | ETag: "a"; 30   ; -                                     ; validate stale
      4.2.1 max-age before Expires ; Cache-Control: max-age=60 | Expires: Mon, 01 Jan 2024 11:00:00 GMT ; 30 ; -                       ; hit age=30 ttl=30
      4.2.1 Expires                ; Expires: Mon, 01 Jan 2024 12:01:00 GMT            ; 30   ; -                                     ; hit age=30 ttl=30
      4.2.1 two max-age disagree   ; Cache-Control: max-age=60, max-age=70 | ETag: "a" ; 1    ; -                                     ; validate stale
      4.2.1 max-age no number      ; Cache-Control: max-age=1h | ETag: "a"             ; 1    ; -                                     ; validate stale
      5.3   Expires is no date     ; Expires: 0 | ETag: "a"                            ; 1    ; -                                     ; validate stale
      5.3   Expires twice          ; Expires: Mon, 01 Jan 2024 13:00:00 GMT | Expires: Mon, 01 Jan 2024 13:00:00 GMT | ETag: "a" ; 1 ; - ; validate stale
      4.2   date in any case       ; Expires: mon, 01 jAN 2024 12:01:00 gmt            ; 30   ; -                                     ; hit age=30 ttl=30
      4.2.2 a tenth of its rest    ; Last-Modified: Mon, 01 Jan 2024 11:50:00 GMT      ; 59   ; -                                     ; hit age=59 ttl=1
      4.2.2 and no more            ; Last-Modified: Mon, 01 Jan 2024 11:50:00 GMT      ; 60   ; -                                     ; validate stale
      4.2.2 at most a day          ; Last-Modified: Sun, 01 Jan 2023 12:00:00 GMT      ; 86400; -                                     ; validate stale
      4.2.3 told age counts        ; Cache-Control: max-age=60 | Age: 50 | ETag: "a"   ; 10   ; -                                     ; validate stale
      4.2.3 slow date counts       ; Cache-Control: max-age=60 | Date: Mon, 01 Jan 2024 11:59:10 GMT ; 5 ; -                           ; hit age=55 ttl=5
      4.2.3 fast date does not     ; Cache-Control: max-age=60 | Date: Mon, 01 Jan 2024 12:30:00 GMT ; 5 ; -                           ; hit age=5 ttl=55
      5.1   first age of a list    ; Cache-Control: max-age=60 | Age: 0, 99            ; 5    ; -                                     ; hit age=5 ttl=55
      5.1   age of first line      ; Cache-Control: max-age=60 | Age: 0 | Age: 99      ; 5    ; -                                     ; hit age=5 ttl=55
      5.1   age is no number       ; Cache-Control: max-age=60 | Age: -7               ; 5    ; -                                     ; hit age=5 ttl=55
      5.1   age beyond counting    ; Cache-Control: max-age=60 | Age: 99999999999999   ; 0    ; -                                     ; forward stale
      4.2.4 swr                    ; Cache-Control: max-age=10, stale-while-revalidate=20 | ETag: "a" ; 29 ; -                         ; stale+revalidate
      4.2.4 swr is over            ; Cache-Control: max-age=10, stale-while-revalidate=20 | ETag: "a" ; 30 ; -                         ; validate stale
      5.2.2.2 must-revalidate      ; Cache-Control: max-age=10, must-revalidate, stale-while-revalidate=20 | ETag: "a" ; 11 ; -       ; validate stale
      5.2.2.2 fresh all the same   ; Cache-Control: max-age=10, must-revalidate        ; 9    ; -                                     ; hit age=9 ttl=1
      5.2.2.8 proxy-revalidate     ; Cache-Control: max-age=10, proxy-revalidate, stale-while-revalidate=20 | ETag: "a" ; 11 ; -      ; validate stale
      5.2.2.10 s-maxage is strict  ; Cache-Control: s-maxage=10, stale-while-revalidate=20 | ETag: "a" ; 11 ; -                        ; validate stale
      5.2.2.4 no-cache             ; Cache-Control: no-cache, max-age=60 | ETag: "a"   ; 1    ; -                                     ; validate stale
      5.2.2.4 no-cache, nothing    ; Cache-Control: no-cache, max-age=60               ; 1    ; -                                     ; forward stale
      5.2.2.4 no-cache for a field ; Cache-Control: no-cache="set-cookie", max-age=60  ; 1    ; -                                     ; hit age=1 ttl=59
      5.2.1.4 client's no-cache    ; Cache-Control: max-age=60 | ETag: "a"             ; 1    ; Cache-Control: no-cache               ; validate request
      5.2.1.1 client's max-age     ; Cache-Control: max-age=60 | ETag: "a"             ; 31   ; Cache-Control: max-age=30             ; validate request
      5.2.1.1 within it            ; Cache-Control: max-age=60                         ; 30   ; Cache-Control: max-age=30             ; hit age=30 ttl=30
      5.2.1.3 min-fresh            ; Cache-Control: max-age=60 | ETag: "a"             ; 31   ; Cache-Control: min-fresh=30           ; validate request
      5.2.1.3 fresh enough         ; Cache-Control: max-age=60                         ; 30   ; Cache-Control: min-fresh=30           ; hit age=30 ttl=30
      5.2.1.2 max-stale            ; Cache-Control: max-age=60 | ETag: "a"             ; 70   ; Cache-Control: max-stale=10           ; stale
      5.2.1.2 staler than that     ; Cache-Control: max-age=60 | ETag: "a"             ; 71   ; Cache-Control: max-stale=10           ; validate stale
      5.2.1.2 however stale        ; Cache-Control: max-age=60 | ETag: "a"             ; 9999 ; Cache-Control: max-stale              ; stale
      5.2.1.2 not when forbidden   ; Cache-Control: max-age=60, must-revalidate | ETag: "a" ; 61 ; Cache-Control: max-stale           ; validate stale
      5.2.1.7 only-if-cached       ; Cache-Control: max-age=60 | ETag: "a"             ; 60   ; Cache-Control: only-if-cached         ; refuse
      5.2.1.7 and it is            ; Cache-Control: max-age=60                         ; 1    ; Cache-Control: only-if-cached         ; hit age=1 ttl=59
      5.2.1.5 no-store still reuses; Cache-Control: max-age=60                         ; 1    ; Cache-Control: no-store               ; hit age=1 ttl=59
      5.2.3 unknown directives     ; Cache-Control: max-age=60, later=1                ; 1    ; Cache-Control: who-knows              ; hit age=1 ttl=59
      5.4   Pragma says nothing    ; Cache-Control: max-age=60 | Pragma: no-cache      ; 1    ; Pragma: no-cache                      ; hit age=1 ttl=59
      4.1   Vary, both without     ; Cache-Control: max-age=60 | Vary: Foo             ; 1    ; -                                     ; hit age=1 ttl=59
      4.1   Vary, another value    ; Cache-Control: max-age=60 | Vary: Foo             ; 1    ; Foo: 1                                ; forward vary-miss
      4.3.2 If-Match               ; Cache-Control: max-age=60                         ; 1    ; If-Match: "a"                         ; forward bypass
      4.3.2 If-Unmodified-Since    ; Cache-Control: max-age=60                         ; 1    ; If-Unmodified-Since: Mon, 01 Jan 2024 12:00:00 GMT ; forward bypass
      9213  targeted before all    ; Cache-Control: no-cache | CDN-Cache-Control: max-age=60 | Expires: 0 ; 1 ; -                      ; hit age=1 ttl=59
      9213  targeted and shorter   ; Cache-Control: max-age=60 | CDN-Cache-Control: max-age=10 | ETag: "a" ; 11 ; -                    ; validate stale
      9213  no dictionary          ; Cache-Control: max-age=60 | CDN-Cache-Control: max-age=1, &&& ; 30 ; -                            ; hit age=30 ttl=30
      9213  a number as text       ; Cache-Control: max-age=60 | CDN-Cache-Control: max-age="1" ; 30 ; -                               ; hit age=30 ttl=30
      """;

  static Stream<String> rows() {
    return TABLE.lines();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aClauseDecides(String row) {
    String[] cells = row.split(";", -1);
    StoredResponse stored = Heads.stored(200, cells[1].strip(), "-");
    Instant now = Heads.NOON.plusSeconds(Long.parseLong(cells[2].strip()));
    CacheRequest request = Heads.request("GET", cells[3].strip());
    assertThat(shown(Reuse.decide(request, List.of(stored), now)))
        .as(cells[0])
        .isEqualTo(cells[4].strip());
  }

  private static String shown(CacheDecision decision) {
    assertThat(decision.clause()).isNotBlank();
    return switch (decision) {
      case CacheDecision.Hit(_, long age, long ttl, _) -> "hit age=" + age + " ttl=" + ttl;
      case CacheDecision.Stale(_, _, _, boolean revalidate, _) ->
          revalidate ? "stale+revalidate" : "stale";
      case CacheDecision.Validate(_, ForwardReason why, _) -> "validate " + why.word();
      case CacheDecision.Complete(_, var missing, _) ->
          "complete " + missing.first() + "-" + missing.last();
      case CacheDecision.Forward(ForwardReason why, _) -> "forward " + why.word();
      case CacheDecision.Refuse _ -> "refuse";
    };
  }

  @Test
  void nothingStoredIsAskedFor() {
    assertThat(shown(Reuse.decide(Heads.request("GET", "-"), List.of(), Heads.NOON)))
        .isEqualTo("forward uri-miss");
    assertThat(
            shown(
                Reuse.decide(
                    Heads.request("GET", "Cache-Control: only-if-cached"), List.of(), Heads.NOON)))
        .isEqualTo("refuse");
  }

  @Test
  void otherMethodsAreNotServed() {
    StoredResponse fresh = Heads.stored(200, "Cache-Control: max-age=60", "-");
    for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "PURGE")) {
      assertThat(shown(Reuse.decide(Heads.request(method, "-"), List.of(fresh), Heads.NOON)))
          .isEqualTo("forward method");
    }
    assertThat(shown(Reuse.decide(Heads.request("HEAD", "-"), List.of(fresh), Heads.NOON)))
        .isEqualTo("hit age=0 ttl=60");
  }

  @Test
  void ofSeveralThatMatchTheNewestIsChosen() {
    String fresh = "Cache-Control: max-age=600 | Date: ";
    StoredResponse older = Heads.stored(200, fresh + "Mon, 01 Jan 2024 11:59:00 GMT | A: 1", "-");
    StoredResponse newer = Heads.stored(200, fresh + "Mon, 01 Jan 2024 11:59:30 GMT | A: 2", "-");
    CacheDecision decision =
        Reuse.decide(Heads.request("GET", "-"), List.of(newer, older), Heads.NOON);
    assertThat(decision)
        .isInstanceOfSatisfying(
            CacheDecision.Hit.class,
            hit -> assertThat(hit.stored().headers().first("A")).isEqualTo("2"));
  }

  /** What is stored of ten bytes; the request's range; what is decided. */
  @ParameterizedTest
  @org.junit.jupiter.params.provider.CsvSource(
      delimiter = ';',
      textBlock =
          """
          3.3 within           ; 2 ; 4 ; bytes=3-4   ; hit age=1 ttl=59
          3.3 last bytes       ; 6 ; 4 ; bytes=-2    ; hit age=1 ttl=59
          3.4 the rest missing ; 2 ; 4 ; bytes=4-8   ; complete 6-8
          3.4 before it        ; 2 ; 4 ; bytes=0-3   ; complete 0-1
          3.4 the whole        ; 0 ; 5 ; -           ; complete 5-9
          3.4 several          ; 0 ; 5 ; bytes=0-1,3-4 ; complete 5-9
          """)
  void partsServeWhatTheyHold(
      String clause, long first, long length, String range, String expected) {
    StoredResponse part = Heads.part("Cache-Control: max-age=60 | ETag: \"a\"", first, length);
    CacheRequest request = Heads.request("GET", range.equals("-") ? "-" : "Range: " + range);
    assertThat(shown(Reuse.decide(request, List.of(part), Heads.NOON.plusSeconds(1))))
        .as(clause)
        .isEqualTo(expected);
  }

  @Test
  void partsAreCompletedOnlyUnderAStrongValidator() {
    for (String head :
        List.of("Cache-Control: max-age=60", "Cache-Control: max-age=60 | ETag: W/\"a\"")) {
      assertThat(
              shown(
                  Reuse.decide(
                      Heads.request("GET", "-"), List.of(Heads.part(head, 0, 5)), Heads.NOON)))
          .isEqualTo("forward partial");
    }
  }

  /** What the upstream did, 0 for nothing; what is stored; seconds later; whether it may serve. */
  @ParameterizedTest
  @org.junit.jupiter.params.provider.CsvSource(
      delimiter = ';',
      textBlock =
          """
          0   ; max-age=10                       ; 9999 ; 4.2.4: disconnected
          0   ; max-age=10, must-revalidate      ; 11   ; no
          0   ; max-age=10, proxy-revalidate     ; 11   ; no
          0   ; s-maxage=10                      ; 11   ; no
          0   ; no-cache, max-age=10             ; 11   ; no
          503 ; max-age=10                       ; 11   ; no
          503 ; max-age=10, stale-if-error=60    ; 69   ; RFC 5861 section 4: stale-if-error
          503 ; max-age=10, stale-if-error=60    ; 70   ; no
          500 ; max-age=10, stale-if-error=60    ; 11   ; RFC 5861 section 4: stale-if-error
          404 ; max-age=10, stale-if-error=60    ; 11   ; no
          """)
  void aFailureIsAnExcuseWhereNobodyForbidsIt(
      int status, String control, long seconds, String expected) {
    StoredResponse stored = Heads.stored(200, "Cache-Control: " + control, "-");
    assertThat(
            Reuse.onFailure(stored, status, Heads.NOON.plusSeconds(seconds))
                .map(CacheDecision.Stale::clause)
                .orElse("no"))
        .isEqualTo(expected);
  }
}
