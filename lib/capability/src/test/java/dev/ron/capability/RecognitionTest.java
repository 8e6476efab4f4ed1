package dev.ron.capability;

import static dev.ron.capability.RandomScope.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.Verifier.Recognition;
import dev.ron.capability.caveat.Caveat;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecognitionTest {
  /** Seconds after noon, and what is known of a token that was checked at noon. */
  @ParameterizedTest
  @CsvSource({"0, Recalled", "29, Recalled", "31, Recalled", "3599, Recalled", "3600, Unverified"})
  void aTokenIsRecalledUntilItEndsAlsoWhenItIsToBeCheckedAgain(long seconds, String answer) {
    var ring = KeyRing.generate(new Random(1));
    var verifier = new Verifier(new Trust(ring, Revocations.NONE));
    var ends = new Caveat.Expiry(NOON.plusSeconds(3600));
    Macaroon token = new TokenMint(ring, new Random(2)).mint(List.of(ends));
    assertThat(verifier.recognize(token.token(), NOON)).isEqualTo(new Recognition.Unverified());
    assertThat(verifier.authenticate(token.token(), NOON))
        .isInstanceOf(Authentication.Authentic.class);
    Recognition later = verifier.recognize(token.token(), NOON.plusSeconds(seconds));
    assertThat(later.getClass().getSimpleName()).isEqualTo(answer);
    assertThat(verifier.recognize(token.attenuate(ends).token(), NOON))
        .as("a copy is another token")
        .isEqualTo(new Recognition.Unverified());
    verifier.trust(trust -> new Trust(trust.keys(), Revocations.NONE));
    assertThat(verifier.recognize(token.token(), NOON))
        .as("after a change of trust")
        .isEqualTo(new Recognition.Unverified());
  }

  @Test
  void whatCannotBeAuthenticIsWorthlessAndForgeriesPushNoTokenOut() {
    var ring = KeyRing.generate(new Random(1));
    var verifier = new Verifier(new Trust(ring, Revocations.NONE), 1, Duration.ofSeconds(30));
    String good = new TokenMint(ring, new Random(2)).mint(List.of()).token();
    assertThat(verifier.authenticate(good, NOON)).isInstanceOf(Authentication.Authentic.class);
    var sameId = new KeyRing(new SigningKey(ring.active().id(), new byte[32], null), List.of());
    String forged = new TokenMint(sameId, new Random(3)).mint(List.of()).token();
    assertThat(verifier.recognize(forged, NOON)).isEqualTo(new Recognition.Unverified());
    assertThat(verifier.authenticate(forged, NOON)).isInstanceOf(Authentication.Refused.class);
    var otherKey = new TokenMint(KeyRing.generate(new Random(4)), new Random(5));
    for (String worthless :
        List.of(forged, otherKey.mint(List.of()).token(), "AAAA", "*", "A".repeat(9000))) {
      assertThat(verifier.recognize(worthless, NOON)).isEqualTo(new Recognition.Worthless());
    }
    assertThat(verifier.recognize(good, NOON)).isInstanceOf(Recognition.Recalled.class);
  }
}
