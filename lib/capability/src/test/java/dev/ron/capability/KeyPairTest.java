package dev.ron.capability;

import static dev.ron.capability.RandomScope.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.capability.caveat.AccessRequest;
import dev.ron.capability.caveat.Caveat;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KeyPairTest {
  private final KeyRing ring = KeyRing.generate(new Random(1));
  private final Verifier verifier = new Verifier(new Trust(ring, Revocations.NONE));
  private final TokenMint mint = new TokenMint(ring, new Random(2));

  private static Macaroon narrowed(Macaroon macaroon, Caveat caveat) {
    return macaroon.attenuate(caveat);
  }

  private KeyPair.Found found(KeyPair pair) {
    return found(verifier, pair);
  }

  private static KeyPair.Found found(Verifier verifier, KeyPair pair) {
    var lookup = verifier.find(pair.accessKeyId(), pair.sessionToken(), NOON);
    assertThat(lookup).isInstanceOf(KeyPair.Found.class);
    return (KeyPair.Found) lookup;
  }

  private CapabilityFault refused(String id, Optional<String> session) {
    var lookup = verifier.find(id, session, NOON);
    assertThat(lookup).isInstanceOf(KeyPair.Lookup.Refused.class);
    return ((KeyPair.Lookup.Refused) lookup).fault();
  }

  /** The server has no table: it finds the secret again from the id and the ring's key. */
  @Test
  void theServerFindsTheHoldersSecret() {
    var random = new Random(3);
    for (int i = 0; i < 2_000; i++) {
      var pair =
          KeyPair.of(
              mint.mint(Stream.generate(() -> live(random)).limit(random.nextInt(6)).toList()));
      assertThat(found(pair).secret()).isEqualTo(pair.secret()).hasSize(43);
      assertThat(pair.accessKeyId()).matches("RON1[A-Za-z0-9_-]+");
    }
  }

  /** Narrowing the pair offline is narrowing the token and cutting that in two. */
  @Test
  void aNarrowedPairIsThePairOfTheNarrowedToken() {
    var random = new Random(4);
    for (int i = 0; i < 2_000; i++) {
      Macaroon token = mint.mint(List.of(live(random)));
      Caveat caveat = live(random);
      KeyPair narrowed = KeyPair.of(token).attenuate(caveat);
      KeyPair other = KeyPair.of(narrowed(token, caveat));
      assertThat(narrowed.accessKeyId()).isEqualTo(other.accessKeyId());
      assertThat(narrowed.secret()).isEqualTo(other.secret());
      assertThat(narrowed.secret()).isNotEqualTo(KeyPair.of(token).secret());
      assertThat(SignatureChain.next(token.signature(), caveat.text()))
          .as("the HMAC of the old secret")
          .isEqualTo(java.util.Base64.getUrlDecoder().decode(narrowed.secret()));
    }
  }

  /** In the session token or in the id: the same caveats, the same secret, the same rights. */
  @Test
  void caveatsBesideTheIdNarrowAsThoseInIt() {
    var random = new Random(5);
    int granted = 0;
    for (int i = 0; i < 4_000; i++) {
      KeyPair wide = KeyPair.of(mint.mint(List.of(live(random))));
      Caveat first = live(random);
      Caveat second = live(random);
      KeyPair inId = wide.attenuate(first).attenuate(second);
      KeyPair beside = wide.attenuateSession(first).attenuateSession(second);
      assertThat(beside.accessKeyId()).isEqualTo(wide.accessKeyId());
      assertThat(beside.secret()).isEqualTo(inId.secret());
      assertThat(found(beside).secret()).isEqualTo(found(inId).secret());
      AccessRequest ask = RandomScope.ask(random);
      boolean allowed = found(beside).capability().verdict(ask) instanceof AccessDecision.Granted;
      assertThat(found(inId).capability().verdict(ask) instanceof AccessDecision.Granted)
          .isEqualTo(allowed);
      if (allowed) {
        granted++;
        assertThat(found(wide).capability().verdict(ask))
            .isInstanceOf(AccessDecision.Granted.class);
      }
    }
    assertThat(granted).isGreaterThan(100);
  }

  /** Without its caveats the id has another secret, which the holder cannot compute. */
  @Test
  void aCaveatCannotBeTakenAway() {
    KeyPair wide = KeyPair.of(mint.mint(List.of()));
    KeyPair narrow = wide.attenuate(Caveat.parse("op = get"));
    KeyPair beside = wide.attenuateSession(Caveat.parse("op = get"));
    assertThat(found(wide).secret()).isNotEqualTo(narrow.secret());
    assertThat(found(wide).secret()).as("session token left out").isNotEqualTo(beside.secret());
    assertThatThrownBy(() -> beside.attenuate(Caveat.parse("op = get")))
        .isInstanceOf(IllegalStateException.class);
  }

  /** A pair allows exactly what its token allows. */
  @Test
  void aPairIsItsToken() {
    var random = new Random(6);
    for (int i = 0; i < 2_000; i++) {
      Macaroon token = mint.mint(List.of(RandomScope.caveat(random), RandomScope.caveat(random)));
      KeyPair pair = KeyPair.of(token);
      AccessRequest ask = RandomScope.ask(random);
      var byToken = verifier.verify(token.token(), ask);
      var byPair =
          switch (verifier.find(pair.accessKeyId(), pair.sessionToken(), ask.now())) {
            case KeyPair.Found found -> found.capability().verdict(ask);
            case KeyPair.Lookup.Refused(var fault) -> new AccessDecision.Refused(fault);
          };
      assertThat(byPair.getClass()).isEqualTo(byToken.getClass());
      if (byToken instanceof AccessDecision.Refused(var fault)) {
        assertThat(((AccessDecision.Refused) byPair).fault()).isEqualTo(fault);
      }
    }
  }

  @Test
  void whatIsNoPairIsRefused() {
    String id = KeyPair.of(mint.mint(List.of(Caveat.parse("op = get")))).accessKeyId();
    for (String wrong :
        List.of(
            "",
            "AKIAIOSFODNN7EXAMPLE",
            "RON1",
            "RON2" + id.substring(4),
            id + "A",
            "RON1***",
            id.substring(0, id.length() - 4),
            "RON1" + "A".repeat(9_000))) {
      assertThat(refused(wrong, Optional.empty())).isInstanceOf(CapabilityFault.Malformed.class);
    }
    for (String wrong : List.of("", "AgA", "***", "A".repeat(9_000))) {
      assertThat(refused(id, Optional.of(wrong))).isInstanceOf(CapabilityFault.Malformed.class);
    }
    KeyPair other =
        KeyPair.of(new TokenMint(KeyRing.generate(new Random(9)), new Random(9)).mint(List.of()));
    assertThat(refused(other.accessKeyId(), Optional.empty()))
        .isInstanceOf(CapabilityFault.UnknownKey.class);
    // The token itself is no id, and the id no token.
    assertThat(verifier.authenticate(id.substring(4), NOON))
        .isInstanceOf(Authentication.Refused.class);
    var full =
        mint.mint(java.util.Collections.nCopies(Macaroon.CAVEATS_MAX, Caveat.parse("op = get")));
    var one = KeyPair.of(mint.mint(List.of())).attenuateSession(Caveat.parse("op = get"));
    assertThat(refused(KeyPair.of(full).accessKeyId(), one.sessionToken()))
        .isInstanceOf(CapabilityFault.Malformed.class);
  }

  @Test
  void anEndedPairIsRefused() {
    var ended = KeyPair.of(mint.mint(List.of(new Caveat.Expiry(NOON))));
    assertThat(refused(ended.accessKeyId(), Optional.empty()))
        .isEqualTo(new CapabilityFault.Expired(NOON));
    var pair = KeyPair.of(mint.mint(List.of(new Caveat.Expiry(NOON.plusSeconds(10)))));
    found(pair).proven(NOON);
    assertThat(verifier.find(pair.accessKeyId(), Optional.empty(), NOON.plusSeconds(10)))
        .isInstanceOf(KeyPair.Lookup.Refused.class);
  }

  /** From the next request on, also for a pair that is remembered. */
  @Test
  void revocationAndRotationReachRememberedPairs() {
    Macaroon token = mint.mint(List.of());
    KeyPair pair = KeyPair.of(token);
    KeyPair.Found before = found(pair);
    before.proven(NOON);
    assertThat(found(pair)).as("remembered").isSameAs(before);
    TokenId id = TokenId.parse(token.identifier()).orElseThrow();
    verifier.trust(trust -> new Trust(trust.keys(), Revocations.NONE.with(id), trust.registered()));
    assertThat(refused(pair.accessKeyId(), Optional.empty()))
        .isInstanceOf(CapabilityFault.Revoked.class);
    // A request that was under way meanwhile does not bring it back.
    before.proven(NOON);
    assertThat(refused(pair.accessKeyId(), Optional.empty()))
        .isInstanceOf(CapabilityFault.Revoked.class);
    verifier.trust(
        trust -> new Trust(ring.rotate(new Random(8), NOON, Duration.ZERO), Revocations.NONE));
    assertThat(refused(pair.accessKeyId(), Optional.empty()))
        .isInstanceOf(CapabilityFault.UnknownKey.class);
  }

  @Test
  void aPairIsRememberedForTheCacheTimeAndOnlyIfProven() {
    KeyPair pair = KeyPair.of(mint.mint(List.of()));
    KeyPair.Found first = found(pair);
    assertThat(found(pair)).as("not proven").isNotSameAs(first);
    first.proven(NOON);
    var justBefore = NOON.plus(Verifier.CACHE_TIME).minusMillis(1);
    assertThat(verifier.find(pair.accessKeyId(), Optional.empty(), justBefore)).isSameAs(first);
    first.proven(justBefore);
    assertThat(verifier.find(pair.accessKeyId(), Optional.empty(), NOON.plus(Verifier.CACHE_TIME)))
        .as("not longer for having been used")
        .isNotSameAs(first);
  }

  @Test
  void noTextShowsTheSecret() {
    KeyPair pair = KeyPair.of(mint.mint(List.of()));
    assertThat(pair.toString()).doesNotContain(pair.secret());
    assertThat(found(pair).toString()).doesNotContain(pair.secret());
    assertThat(pair.accessKeyId()).doesNotContain(pair.secret());
  }

  /** A caveat that does not end the pair before the test does. */
  private static Caveat live(Random random) {
    Caveat caveat = RandomScope.caveat(random);
    return caveat instanceof Caveat.Expiry ? Caveat.parse("rate = 7/s") : caveat;
  }
}
