package dev.ron.capability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.nitram509.jmacaroons.MacaroonsSerializer;
import com.github.nitram509.jmacaroons.MacaroonsVerifier;
import dev.ron.capability.caveat.Caveat;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Another implementation reads, verifies and narrows our tokens, and we do the same with its. */
class OtherImplementationTest {
  private static final long SEED = 0x5eed_0004L;
  private static final int CASES = 500;

  @Test
  void itReadsAndVerifiesOurs() {
    var random = new Random(SEED);
    for (int i = 0; i < CASES; i++) {
      KeyRing ring = KeyRing.generate(random);
      Macaroon ours = someToken(random, ring);
      var theirs =
          com.github.nitram509.jmacaroons.Macaroon.deserialize(
              ours.token(), MacaroonsSerializer.V2);
      assertThat(theirs.identifier).isEqualTo(ours.identifier());
      assertThat(theirs.location).isEqualTo(ours.location());
      assertThat(theirs.signature).isEqualTo(HexFormat.of().formatHex(ours.signature()));
      var verifier = new MacaroonsVerifier(theirs);
      ours.caveatTexts().forEach(verifier::satisfyExact);
      assertThat(verifier.isValid(ring.active().secret())).as("seed %d, case %d", SEED, i).isTrue();
      byte[] other = ring.active().secret();
      other[random.nextInt(32)] ^= 1;
      assertThat(verifier.isValid(other)).isFalse();
    }
  }

  @Test
  void weReadAndVerifyWhatItMadeAndNarrowed() {
    var random = new Random(SEED + 1);
    for (int i = 0; i < CASES; i++) {
      KeyRing ring = KeyRing.generate(random);
      Macaroon ours = someToken(random, ring);
      var builder =
          com.github.nitram509.jmacaroons.Macaroon.builder(
              "ron", ring.active().secret(), ours.identifier());
      for (String caveat : ours.caveatTexts()) {
        builder = builder.addCaveat(caveat);
      }
      String text = builder.build().serialize(MacaroonsSerializer.V2);
      assertThat(MacaroonCodec.decode(text))
          .as("seed %d, case %d", SEED, i)
          .isEqualTo(new MacaroonCodec.Decoding.Decoded(ours));
      String narrowed =
          com.github.nitram509.jmacaroons.Macaroon.builder(
                  com.github.nitram509.jmacaroons.Macaroon.deserialize(
                      text, MacaroonsSerializer.V2))
              .addCaveat("op = recv,send")
              .build()
              .serialize(MacaroonsSerializer.V2);
      assertThat(MacaroonCodec.decode(narrowed))
          .isEqualTo(
              new MacaroonCodec.Decoding.Decoded(ours.attenuate(Caveat.parse("op = recv,send"))));
    }
  }

  @Test
  void itsThirdPartyCaveatsAreRefused() {
    String text =
        com.github.nitram509.jmacaroons.Macaroon.builder("ron", "key", "id")
            .addCaveat("elsewhere", "their key", "their id")
            .build()
            .serialize(MacaroonsSerializer.V2);
    assertThat(MacaroonCodec.decode(text)).isInstanceOf(MacaroonCodec.Decoding.Failed.class);
  }

  private static Macaroon someToken(Random random, KeyRing ring) {
    var token = new TokenMint(ring, random).mint(List.of());
    for (int n = random.nextInt(8); n > 0; n--) {
      token = token.attenuate(RandomScope.caveat(random));
    }
    assertThat(token.token().getBytes(UTF_8).length).isLessThanOrEqualTo(TokenText.CHARS_MAX);
    return token;
  }
}
