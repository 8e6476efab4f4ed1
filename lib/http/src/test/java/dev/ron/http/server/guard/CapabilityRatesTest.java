package dev.ron.http.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.Authentication;
import dev.ron.capability.Capability;
import dev.ron.capability.KeyRing;
import dev.ron.capability.Macaroon;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.kernel.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** How often a capability passes, in virtual time. */
class CapabilityRatesTest {
  private static final Instant NOON = Instant.parse("2026-11-15T12:00:00Z");

  private final KeyRing ring = KeyRing.generate(new SplittableRandom(3));
  private final SplittableRandom random = new SplittableRandom(4);
  private final Verifier verifier = new Verifier(new Trust(ring, Revocations.NONE));
  private final VirtualTime time = new VirtualTime();
  private final CapabilityRates rates = new CapabilityRates(time, 3);

  @Test
  void aSecondsWorthPassesAtOnceAndThenOneAfterTheOther() {
    Macaroon five = mint(5);
    assertThat(passes(five, 40)).isEqualTo(5);
    CapabilityRates.Excess excess = rates.charge(capability(five));
    assertThat(excess).isEqualTo(new CapabilityRates.Excess(5, Duration.ofMillis(200)));
    time.advance(Duration.ofMillis(199));
    assertThat(passes(five, 1)).isZero();
    time.advance(Duration.ofMillis(1));
    assertThat(passes(five, 2)).isEqualTo(1);
    time.advance(Duration.ofHours(1));
    assertThat(passes(five, 40)).isEqualTo(5);
  }

  /** However a holder narrows its token, all copies together get no more than the token. */
  @Test
  void copiesWithRatesOfTheirOwnGetNothingOnTop() {
    Macaroon twenty = mint(20);
    int passed = 0;
    for (long slower = 19; slower > 0; slower--) {
      passed += passes(twenty.attenuate(new Caveat.Rate(slower)), 30);
    }
    assertThat(passed).isEqualTo(20);
  }

  @Test
  void aNarrowedCopyIsHeldToItsOwnRateAndLeavesTheRestToTheToken() {
    Macaroon ten = mint(10);
    assertThat(passes(ten.attenuate(new Caveat.Rate(2)), 30)).isEqualTo(2);
    assertThat(passes(ten, 30)).as("what was refused was not charged").isEqualTo(8);
  }

  /** More buckets than there is room for must not bring back what was used up. */
  @Test
  void whatIsUsedUpIsNotForgotten() {
    Macaroon one = mint(1);
    assertThat(passes(one, 2)).isEqualTo(1);
    assertThat(passes(mint(1), 1)).isEqualTo(1);
    assertThat(passes(mint(1), 1)).isEqualTo(1);
    assertThat(passes(mint(1), 1)).as("no room for a fourth").isZero();
    assertThat(passes(one, 1)).isZero();
    assertThat(rates.tokens()).isEqualTo(3);
    time.advance(Duration.ofSeconds(1));
    assertThat(passes(mint(1), 1)).as("full ones make room").isEqualTo(1);
    assertThat(rates.tokens()).isEqualTo(1);
  }

  /** A holder of one wide token must not use up the room of all others. */
  @Test
  void aTokenHasRoomForSoManyRatesOfItsOwn() {
    Macaroon wide = new TokenMint(ring, random).mint(List.of());
    int passed = 0;
    for (int copy = 0; copy < 1000; copy++) {
      passed += passes(wide.attenuate(new Caveat.Bytes(copy)).attenuate(new Caveat.Rate(1)), 1);
    }
    assertThat(passed).isEqualTo(CapabilityRates.RATES_PER_TOKEN_MAX);
    assertThat(passes(mint(1), 1)).isEqualTo(1);
    assertThat(passes(wide, 5)).as("without a rate there is nothing to count").isEqualTo(5);
  }

  @Test
  void theLargestRateIsCountedToo() {
    assertThat(passes(mint(999_999_999_999_999_999L), 1000)).isEqualTo(1000);
  }

  private int passes(Macaroon macaroon, int requests) {
    Capability capability = capability(macaroon);
    int passed = 0;
    for (int i = 0; i < requests; i++) {
      passed += rates.charge(capability) == null ? 1 : 0;
    }
    return passed;
  }

  private Macaroon mint(long perSecond) {
    return new TokenMint(ring, random).mint(List.of(new Caveat.Rate(perSecond)));
  }

  private Capability capability(Macaroon macaroon) {
    return ((Authentication.Authentic) verifier.authenticate(macaroon.token(), NOON)).capability();
  }
}
