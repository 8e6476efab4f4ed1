package dev.ron.gateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FailureEvidenceTest {
  private static final Instant START = Instant.EPOCH;

  /** A small letter is a request that was served, a large one that failed; the letter its kind. */
  private static FailureEvidence of(String requests) {
    FailureEvidence evidence = FailureEvidence.NONE;
    for (int i = 0; i < requests.length(); i++) {
      char each = requests.charAt(i);
      var kind = new RequestKind("t", String.valueOf(Character.toLowerCase(each)));
      evidence =
          Character.isUpperCase(each) ? evidence.failed(kind, START) : evidence.served(kind, START);
    }
    return evidence;
  }

  @ParameterizedTest
  @CsvSource({
    // requests, suspicious, against, against the whole
    "AA,       false, false, false",
    "AB,       false, false, false",
    "AAA,      true,  true,  false", // all there is, so it is the upstream as far as one can tell
    "AAB,      true,  true,  true",
    "bAAA,     true,  false, false", // others are served: it is what these ask for
    "AAAb,     true,  false, false",
    "AAAbbb,   true,  false, false",
    "AAAbbbb,  false, false, false",
    "AbAbAb,   true,  false, false",
    "AABbc,    true,  true,  true",
    "abcabcA,  false, false, false",
    "abcabcAB, false, false, false"
  })
  void whatTheRequestsSay(String requests, boolean suspicious, boolean against, boolean whole) {
    FailureEvidence evidence = of(requests);
    assertThat(evidence.suspicious()).isEqualTo(suspicious);
    assertThat(evidence.against(START)).isEqualTo(against);
    assertThat(evidence.againstWhole()).isEqualTo(whole);
  }

  @Test
  void whatIsLongAgoSaysNothing() {
    var kind = new RequestKind("t", "a");
    FailureEvidence old = of("AB");
    Instant end = START.plus(FailureEvidence.WINDOW);
    assertThat(old.failed(kind, end).against(end)).isTrue();
    assertThat(old.failed(kind, end.plusMillis(1)).failures()).isEqualTo(1);
    assertThat(of("A".repeat(FailureEvidence.WINDOW_REQUESTS) + "A").failures()).isEqualTo(1);
  }

  @Test
  void thatThereAreOthersIsRememberedAfterwards() {
    var kind = new RequestKind("t", "a");
    FailureEvidence evidence = of("b" + "A".repeat(FailureEvidence.WINDOW_REQUESTS)).renewed();
    for (int i = 0; i < FailureEvidence.REQUESTS_MIN; i++) {
      evidence = evidence.failed(kind, START);
    }
    assertThat(evidence.against(START.plus(FailureEvidence.WINDOW))).isFalse();
    assertThat(evidence.against(START.plus(FailureEvidence.WINDOW).plusMillis(1)))
        .as("alone by now")
        .isTrue();
  }

  @Test
  void whileAllIsWellNothingIsWritten() {
    FailureEvidence evidence = of("ab");
    assertThat(evidence.served(new RequestKind("t", "c"), START)).isSameAs(evidence);
  }

  @ParameterizedTest
  @CsvSource({
    "/, /, ''",
    "/, /a, a",
    "/, /a/b/c, a",
    "/api, /api, ''",
    "/api, /api/, ''",
    "/api, /api/items/7, items",
    "/v1, /v1/send, send"
  })
  void theKindIsTheFirstSegmentBehindThePrefix(String prefix, String path, String part) {
    assertThat(RequestKind.of("t", prefix, path)).isEqualTo(new RequestKind("t", part));
  }
}
