package dev.ron.capability;

import static dev.ron.capability.RandomScope.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.capability.caveat.AccessRequest;
import dev.ron.capability.caveat.Caveat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AttenuationTest {
  private static final int TOKENS = 4_000;
  private static final int ASKS_PER_TOKEN = 10;

  private final KeyRing ring = KeyRing.generate(new Random(1));
  private final Verifier verifier = new Verifier(new Trust(ring, Revocations.NONE));

  /** The heart of it: whatever is added, nothing becomes possible that was not possible before. */
  @Test
  void noCaveatEverWidensAToken() {
    long seed = 0x5eed_0010L;
    var random = new Random(seed);
    int stillGranted = 0;
    int newlyRefused = 0;
    for (int t = 0; t < TOKENS; t++) {
      Macaroon wide = new TokenMint(ring, random).mint(List.of());
      for (int n = random.nextInt(3); n > 0; n--) {
        wide = wide.attenuate(RandomScope.caveat(random));
      }
      Caveat added = RandomScope.caveat(random);
      Macaroon narrow = wide.attenuate(added);
      for (int a = 0; a < ASKS_PER_TOKEN; a++) {
        AccessRequest ask = RandomScope.ask(random);
        AccessDecision before = verifier.verify(wide.token(), ask);
        AccessDecision after = verifier.verify(narrow.token(), ask);
        if (after instanceof AccessDecision.Granted(Grant narrowed)) {
          String what = "seed %d: %s + %s, %s".formatted(seed, wide.caveats(), added, ask);
          assertThat(before).as(what).isInstanceOf(AccessDecision.Granted.class);
          assertNarrower(narrowed, ((AccessDecision.Granted) before).grant(), what);
          assertThat(added.allows(ask)).as(what).isTrue();
          stillGranted++;
        } else if (before instanceof AccessDecision.Granted) {
          newlyRefused++;
        }
      }
    }
    // Both kinds must be common, or the property was hardly tried.
    assertThat(stillGranted).isGreaterThan(TOKENS / 4);
    assertThat(newlyRefused).isGreaterThan(TOKENS / 4);
  }

  /**
   * Order and repetition carry no meaning: a token allows the same whichever way it was narrowed.
   */
  @Test
  void theOrderOfCaveatsDoesNotMatter() {
    long seed = 0x5eed_0011L;
    var random = new Random(seed);
    for (int t = 0; t < TOKENS; t++) {
      var caveats = new ArrayList<Caveat>();
      for (int n = random.nextInt(5); n >= 0; n--) {
        caveats.add(RandomScope.caveat(random));
      }
      String one = new TokenMint(ring, random).mint(caveats).token();
      caveats.add(RandomScope.pick(random, caveats));
      Collections.shuffle(caveats, random);
      String other = new TokenMint(ring, random).mint(caveats).token();
      AccessRequest ask = RandomScope.ask(random);
      assertThat(verifier.verify(one, ask) instanceof AccessDecision.Granted)
          .as("seed %d: %s, %s", seed, caveats, ask)
          .isEqualTo(verifier.verify(other, ask) instanceof AccessDecision.Granted);
    }
  }

  /** Taking a caveat away, or moving one, breaks the chain. */
  @Test
  void aCaveatCannotBeTakenAwayOrMoved() {
    var token =
        new TokenMint(ring, new Random(2))
            .mint(List.of(Caveat.parse("op = send"), Caveat.parse("tenant = acme")));
    List<String> texts = token.caveatTexts();
    for (var forged :
        List.of(List.<String>of(), texts.subList(0, 1), texts.subList(1, 2), texts.reversed())) {
      var forgery = new Macaroon("ron", token.identifier(), forged, token.signature());
      assertThat(verifier.verify(forgery.token(), AccessRequest.of("mailbox", "send", NOON)))
          .isInstanceOfSatisfying(
              AccessDecision.Refused.class,
              refused ->
                  assertThat(refused.fault()).isInstanceOf(CapabilityFault.BadSignature.class));
    }
  }

  @Test
  void aTokenStopsGrowingAtItsLimits() {
    var minting = new TokenMint(ring, new Random(3));
    var full = minting.mint(Collections.nCopies(64, Caveat.parse("rate = 5/s")));
    assertThat(verifier.verify(full.token(), AccessRequest.of("edge", "get", NOON)))
        .isInstanceOf(AccessDecision.Granted.class);
    assertThatThrownBy(() -> full.attenuate(Caveat.parse("rate = 4/s")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("64");
    var long1k = new Caveat.Prefix("/" + "x".repeat(1000));
    var large = minting.mint(Collections.nCopies(5, long1k));
    assertThat(large.token().length()).isLessThanOrEqualTo(8192);
    assertThatThrownBy(() -> large.attenuate(long1k))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("6144");
  }

  /** The narrowest, which is the last. */
  private static OptionalLong rate(Grant grant) {
    return grant.rates().isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(grant.rates().getLast().perSecond());
  }

  private static void assertNarrower(Grant narrow, Grant wide, String what) {
    assertThat(notAbove(rate(narrow), rate(wide))).as(what).isTrue();
    assertThat(notAbove(narrow.bytesMax(), wide.bytesMax())).as(what).isTrue();
    wide.expires()
        .ifPresent(
            end -> assertThat(narrow.expires().orElseThrow()).as(what).isBeforeOrEqualTo(end));
    wide.tenant().ifPresent(name -> assertThat(narrow.tenant()).as(what).contains(name));
  }

  private static boolean notAbove(OptionalLong narrow, OptionalLong wide) {
    return narrow.orElse(Long.MAX_VALUE) <= wide.orElse(Long.MAX_VALUE);
  }
}
