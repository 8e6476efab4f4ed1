package dev.ron.edge.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.field.ByteRange;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Validation, invalidation, selection and pieces, clause by clause. */
final class RulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          ETag: "a"                                     ; If-None-Match=["a"]
          ETag: W/"a"                                   ; If-None-Match=[W/"a"]
          Last-Modified: Mon, 01 Jan 2024 11:00:00 GMT  ; If-Modified-Since=[Mon, 01 Jan 2024 11:00:00 GMT]
          Last-Modified: yesterday                      ;
          """)
  void aQuestionIsAskedWithTheStoredValidators(String head, String expected) {
    var conditions = Validation.conditions(Heads.stored(200, head, "-"));
    var shown = new StringBuilder();
    conditions.forEach((name, value) -> shown.append(name).append("=[").append(value).append("]"));
    assertThat(shown.toString()).isEqualTo(expected == null ? "" : expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          ETag: "a"    ; ETag: "a"   ; true
          ETag: "a"    ; ETag: "b"   ; false
          ETag: "a"    ; -           ; true
          ETag: W/"a"  ; ETag: W/"a" ; true
          ETag: "a"    ; ETag: W/"a" ; true
          ETag: W/"a"  ; ETag: "a"   ; false
          Last-Modified: Mon, 01 Jan 2024 11:00:00 GMT ; Last-Modified: Mon, 01 Jan 2024 11:00:00 GMT ; true
          Last-Modified: Mon, 01 Jan 2024 11:00:00 GMT ; Last-Modified: Mon, 01 Jan 2024 11:30:00 GMT ; false
          """)
  void aNotModifiedSpeaksOfTheStoredAnswerOrOfAnother(
      String stored, String reply, boolean confirms) {
    assertThat(Validation.confirms(Heads.stored(200, stored, "-"), Heads.of(reply)))
        .isEqualTo(confirms);
  }

  @Test
  void aConfirmationUpdatesTheHeadAndNotWhatDescribesTheBytes() {
    StoredResponse stored =
        Heads.stored(
            200,
            "Cache-Control: max-age=1 | A: old | B: kept | Age: 99 | Content-Encoding: gzip",
            "-");
    Instant later = Heads.NOON.plusSeconds(100);
    StoredResponse fresh =
        Validation.freshened(
            stored,
            Heads.of(
                "Cache-Control: max-age=60 | A: new | Content-Encoding: br | Content-Length: 3"
                    + " | Connection: C | C: 1"),
            later,
            later);
    assertThat(fresh.headers().toString())
        .isEqualTo("Headers[B, Content-Encoding, Cache-Control, A, Date]");
    assertThat(fresh.headers().first("Content-Encoding")).isEqualTo("gzip");
    assertThat(fresh.headers().first("A")).isEqualTo("new");
    assertThat(fresh.freshness().left(later, later).toSeconds()).isEqualTo(60);
    assertThat(fresh.id()).isEqualTo(stored.id());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          POST     ; 200 ; -                                      ; /a
          PUT      ; 201 ; -                                      ; /a
          DELETE   ; 204 ; -                                      ; /a
          M-SEARCH ; 200 ; -                                      ; /a
          POST     ; 303 ; Location: /b                           ; /a /b
          POST     ; 201 ; Location: https://o.example/c?x#frag   ; /a /c?x
          POST     ; 201 ; Location: HTTPS://O.EXAMPLE/c          ; /a /c
          POST     ; 201 ; Location: https://other.example/c      ; /a
          POST     ; 201 ; Location: //o.example/c                ; /a /c
          POST     ; 200 ; Content-Location: d                    ; /a /d
          POST     ; 200 ; Content-Location: ../x/./y             ; /a /x/y
          POST     ; 200 ; Content-Location: ?q=1                 ; /a /a?q=1
          POST     ; 200 ; Location: /b | Content-Location: /b    ; /a /b
          POST     ; 400 ; -                                      ;
          POST     ; 500 ; -                                      ;
          GET      ; 200 ; -                                      ;
          HEAD     ; 200 ; -                                      ;
          OPTIONS  ; 200 ; -                                      ;
          """)
  void whatAnUnsafeRequestMakesWorthless(
      String method, int status, String answer, String expected) {
    List<String> targets =
        Invalidation.of(method, Heads.KEY, status, Heads.of(answer)).stream()
            .map(CacheKey::target)
            .toList();
    assertThat(String.join(" ", targets)).isEqualTo(expected == null ? "" : expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          GET  ; -                          ; Whole[]
          GET  ; If-None-Match: "a"         ; NotModified[]
          GET  ; If-None-Match: W/"a"       ; NotModified[]
          GET  ; If-None-Match: "x", "a"    ; NotModified[]
          GET  ; If-None-Match: "x"         ; Whole[]
          GET  ; If-None-Match: *           ; NotModified[]
          GET  ; If-None-Match: x           ; Whole[]
          HEAD ; If-None-Match: "a"         ; NotModified[]
          GET  ; If-None-Match: "x" | If-Modified-Since: Mon, 01 Jan 2024 11:00:00 GMT ; Whole[]
          GET  ; If-Modified-Since: Mon, 01 Jan 2024 11:00:00 GMT ; NotModified[]
          GET  ; If-Modified-Since: Mon, 01 Jan 2024 10:59:59 GMT ; Whole[]
          GET  ; Range: bytes=2-3           ; Part[range=ByteRange[first=2, last=3]]
          GET  ; Range: bytes=-3            ; Part[range=ByteRange[first=7, last=9]]
          GET  ; Range: bytes=99-           ; Unsatisfiable[total=10]
          GET  ; Range: bytes=0-1,4-5       ; Parts[ranges=[ByteRange[first=0, last=1], ByteRange[first=4, last=5]]]
          GET  ; Range: lines=1-2           ; Whole[]
          HEAD ; Range: bytes=2-3           ; Whole[]
          GET  ; Range: bytes=2-3 | If-Range: "a" ; Part[range=ByteRange[first=2, last=3]]
          GET  ; Range: bytes=2-3 | If-Range: "b" ; Whole[]
          GET  ; Range: bytes=2-3 | If-Range: Mon, 01 Jan 2024 11:00:00 GMT ; Part[range=ByteRange[first=2, last=3]]
          GET  ; Range: bytes=2-3 | If-None-Match: "a" ; NotModified[]
          """)
  void whatARequestWantsOfAnAnswer(String method, String fields, String expected) {
    StoredResponse stored =
        Heads.stored(200, "ETag: \"a\" | Last-Modified: Mon, 01 Jan 2024 11:00:00 GMT", "-");
    assertThat(Selection.of(Heads.request(method, fields), stored, Heads.NOON).toString())
        .isEqualTo(expected);
  }

  @Test
  void bytesWithoutAValidatorHaveTheirAddressAsOne() {
    StoredResponse stored = Heads.stored(200, "Cache-Control: max-age=60", "-");
    CacheRequest request = Heads.request("GET", "If-None-Match: \"" + Heads.BYTES + "\"");
    assertThat(Selection.of(request, stored, Heads.NOON)).isEqualTo(new Selection.NotModified());
  }

  /** Random ranges are added to a model of single bytes, which the pieces must agree with. */
  @Test
  void piecesAreTheUnionOfWhatWasAdded() {
    for (long seed = 0; seed < 500; seed++) {
      var random = new SplittableRandom(seed);
      int total = 1 + random.nextInt(40);
      var held = new boolean[total];
      var pieces = new StoredRanges(List.of(), total);
      for (int i = 0; i < 6; i++) {
        int first = random.nextInt(total);
        int length = 1 + random.nextInt(total - first);
        pieces = pieces.with(new StoredRange(first, length, Heads.BYTES, 0)).orElseThrow();
        java.util.Arrays.fill(held, first, first + length, true);
        check(pieces, held, seed);
      }
    }
  }

  private static void check(StoredRanges pieces, boolean[] held, long seed) {
    int stored = 0;
    int firstMissing = -1;
    for (int i = held.length - 1; i >= 0; i--) {
      stored += held[i] ? 1 : 0;
      firstMissing = held[i] ? firstMissing : i;
    }
    assertThat(pieces.storedBytes()).as("seed %d", seed).isEqualTo(stored);
    assertThat(pieces.complete()).as("seed %d", seed).isEqualTo(stored == held.length);
    Optional<ByteRange> missing = pieces.missing(new ByteRange(0, held.length - 1));
    assertThat(missing.map(ByteRange::first).orElse(-1L))
        .as("seed %d", seed)
        .isEqualTo(firstMissing);
  }

  @Test
  void piecesThatOverlapOrLeaveTheWholeCannotBe() {
    assertThatThrownBy(() -> new StoredRanges(List.of(new StoredRange(5, 6, Heads.BYTES, 0)), 10))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new StoredRanges(List.of(), 10).with(new StoredRange(5, 6, Heads.BYTES, 0)))
        .isEmpty();
  }

  @Test
  void aCacheSaysWhatItDid() {
    var head = Heads.of("Cache-Status: origin-cache; hit");
    CacheStatus.forwarded(ForwardReason.STALE).status(304).stored().collapsed().on(head);
    assertThat(head.all("Cache-Status"))
        .containsExactly(
            "origin-cache; hit", "ron-edge; fwd=stale; fwd-status=304; stored; collapsed");
    assertThat(CacheStatus.hit(-3).detail("a \"b\"\n").text())
        .isEqualTo("ron-edge; hit; ttl=-3; detail=\"a b\"");
  }
}
