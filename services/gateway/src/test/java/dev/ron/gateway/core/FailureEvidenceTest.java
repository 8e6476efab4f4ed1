package dev.ron.gateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FailureEvidenceTest {
  private static final Instant START = Instant.EPOCH;

  /**
   * A small letter is a request that was served, a large one that failed. A, B and C are three
   * kinds of one witness; X, Y and Z are three others, that ask for the same as A.
   */
  private static FailureEvidence of(String requests) {
    FailureEvidence evidence = FailureEvidence.NONE;
    for (int i = 0; i < requests.length(); i++) {
      char each = requests.charAt(i);
      RequestKind kind = kind(Character.toLowerCase(each));
      evidence =
          Character.isUpperCase(each) ? evidence.failed(kind, START) : evidence.served(kind, START);
    }
    return evidence;
  }

  private static RequestKind kind(char letter) {
    return letter < 'x'
        ? new RequestKind("t", String.valueOf(letter))
        : new RequestKind(String.valueOf(letter), "a");
  }

  @ParameterizedTest
  @CsvSource({
    // requests, suspicious, weight, against the whole
    "AA,        false, NONE,              false",
    "AB,        false, NONE,              false",
    "AX,        false, NONE,              false",
    "AAA,       true,  ONE_WITNESS,       false", // all there is, so it may be the upstream
    "AAB,       true,  ONE_WITNESS,       true",
    "bAAA,      true,  NONE,              false", // what it asks for elsewhere is served
    "AAAb,      true,  NONE,              false",
    "AABbc,     true,  ONE_WITNESS,       true",
    "xAAA,      true,  NONE,              false", // others are served: it is what this one asks for
    "AAAx,      true,  NONE,              false",
    "xABAB,     true,  NONE,              false", // in however many ways
    "ABABx,     true,  NONE,              false",
    "AbAbAx,    true,  NONE,              false",
    "AAX,       true,  SEVERAL_WITNESSES, true",
    "AAXyb,     true,  SEVERAL_WITNESSES, true",
    "XYZ,       true,  SEVERAL_WITNESSES, true",
    "AAAxxx,    true,  NONE,              false",
    "AAAxxxx,   false, NONE,              false",
    "abcabcA,   false, NONE,              false",
    "axyaxyAX,  false, NONE,              false"
  })
  void whatTheRequestsSay(
      String requests, boolean suspicious, FailureEvidence.Weight weight, boolean whole) {
    FailureEvidence evidence = of(requests);
    assertThat(evidence.suspicious()).isEqualTo(suspicious);
    assertThat(evidence.weight(START)).isEqualTo(weight);
    assertThat(evidence.againstWhole(START)).isEqualTo(whole);
  }

  @Test
  void whatIsLongAgoSaysNothing() {
    var kind = new RequestKind("t", "a");
    FailureEvidence old = of("AX");
    Instant end = START.plus(FailureEvidence.WINDOW);
    assertThat(old.failed(kind, end).weight(end))
        .isEqualTo(FailureEvidence.Weight.SEVERAL_WITNESSES);
    assertThat(old.failed(kind, end.plusMillis(1)).failures()).isEqualTo(1);
    assertThat(of("A".repeat(FailureEvidence.WINDOW_REQUESTS) + "A").failures()).isEqualTo(1);
  }

  @Test
  void thatThereAreOthersIsRememberedAfterwards() {
    var kind = new RequestKind("t", "a");
    for (String other : new String[] {"b", "x"}) {
      FailureEvidence evidence = of(other + "A".repeat(FailureEvidence.WINDOW_REQUESTS)).renewed();
      for (int i = 0; i < FailureEvidence.REQUESTS_MIN; i++) {
        evidence = evidence.failed(kind, START);
      }
      Instant end = START.plus(FailureEvidence.WINDOW);
      assertThat(evidence.weight(end)).isEqualTo(FailureEvidence.Weight.NONE);
      assertThat(evidence.weight(end.plusMillis(1)))
          .as("alone by now")
          .isEqualTo(FailureEvidence.Weight.ONE_WITNESS);
    }
  }

  /** Kinds change all the time; that makes no crowd, and hides none. */
  @Test
  void anotherWitnessIsNoticedBesidesManyKinds() {
    FailureEvidence evidence = of("abababx");
    assertThat(evidence.crowdAt()).isEqualTo(START);
    assertThat(of("ababab").crowdAt()).isEqualTo(Instant.MIN);
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
