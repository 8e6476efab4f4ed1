package dev.ron.capability;

import static dev.ron.capability.RandomScope.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.capability.caveat.AccessRequest;
import dev.ron.capability.caveat.Caveat;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * Keys and revocations in virtual time: each line is a second after noon, a deed and its answer.
 */
class RotationAndRevocationTest {
  @Test
  void aRetiredKeyIsAcceptedToTheSecondOfItsGrace() {
    new Script()
        .play(
            """
            0    mint    a            -> ok
            0    show    a            -> granted
            100  rotate  60           -> ok
            100  show    a            -> granted
            100  mint    b            -> ok
            159  show    a            -> granted
            160  show    a            -> UnknownKey
            160  show    b            -> granted
            161  show    a            -> UnknownKey
            """);
  }

  @Test
  void aCachedTokenDoesNotOutliveItsKey() {
    new Script()
        .play(
            """
            0    mint    a            -> ok
            0    rotate  10           -> ok
            9    show    a            -> granted
            10   show    a            -> UnknownKey
            """);
  }

  @Test
  void withoutGraceARotationCutsOffAtOnce() {
    new Script()
        .play(
            """
            0    mint    a            -> ok
            0    show    a            -> granted
            1    rotate  0            -> ok
            1    show    a            -> UnknownKey
            """);
  }

  @Test
  void keysPastTheirGraceAreDroppedAndOthersKept() {
    new Script()
        .play(
            """
            0    mint    a            -> ok
            0    rotate  1000         -> ok
            1    mint    b            -> ok
            1    rotate  10           -> ok
            2    mint    c            -> ok
            10   show    b            -> granted
            11   show    b            -> UnknownKey
            20   rotate  10           -> ok
            20   keys    2            -> ok
            21   show    a            -> granted
            29   show    c            -> granted
            30   show    c            -> UnknownKey
            999  show    a            -> granted
            1000 show    a            -> UnknownKey
            """);
  }

  @Test
  void aRevokedTokenTakesItsChildrenWithIt() {
    new Script()
        .play(
            """
            0    mint    a            -> ok
            0    mint    b            -> ok
            0    narrow  a a2         -> ok
            0    narrow  a2 a3        -> ok
            1    show    a            -> granted
            1    show    a3           -> granted
            2    revoke  a2           -> ok
            2    show    a            -> Revoked
            2    show    a2           -> Revoked
            2    show    a3           -> Revoked
            2    narrow  a a4         -> ok
            2    show    a4           -> Revoked
            2    show    b            -> granted
            """);
  }

  @Test
  void aCachedTokenDoesNotOutliveItsExpiry() {
    new Script()
        .play(
            """
            0    mint    a            -> ok
            0    expire  a e 10       -> ok
            0    show    e            -> granted
            9    show    e            -> granted
            10   show    e            -> Expired
            9    show    e            -> granted
            40   show    e            -> Expired
            """);
  }

  @Test
  void anExpiredTokenOfARevokedIdCountsAsRevoked() {
    new Script()
        .play(
            """
            0    mint    a            -> ok
            0    expire  a e 10       -> ok
            1    revoke  a            -> ok
            20   show    e            -> Revoked
            """);
  }

  /**
   * The cache alone, without a change of trust to clear it: what it holds ends with the cache time,
   * the token or the key, whichever is first, and does not reach into the past.
   */
  @Test
  void aCacheEntryEndsInTime() {
    var id = new TokenId("k1", "0".repeat(32));
    byte[] hash = Macaroon.hash(new byte[] {1});
    byte[] sameSlot = hash.clone();
    sameSlot[31] ^= 1;
    record Case(String caveat, long keySeconds, long lastSecond) {}
    for (var c :
        List.of(
            new Case("rate = 1/s", 1000, 29),
            new Case("expires = 2026-11-15T12:00:10Z", 1000, 9),
            new Case("expires = 2026-11-15T12:01:00Z", 1000, 29),
            new Case("rate = 1/s", 5, 4))) {
      var cache = new VerificationCache(16, Duration.ofSeconds(30));
      var macaroon =
          Macaroon.root("ron", new byte[32], id.text()).attenuate(Caveat.parse(c.caveat));
      cache.keep(
          hash, new Capability(id, macaroon.terms(), hash, NOON.plusSeconds(c.keySeconds)), NOON);
      assertThat(cache.find(hash, NOON.minusMillis(1))).as("%s", c).isEmpty();
      assertThat(cache.find(hash, NOON)).as("%s", c).isPresent();
      assertThat(cache.find(hash, NOON.plusSeconds(c.lastSecond).plusMillis(999))).isPresent();
      assertThat(cache.find(hash, NOON.plusSeconds(c.lastSecond + 1))).as("%s", c).isEmpty();
      assertThat(cache.find(sameSlot, NOON)).as("the whole hash counts").isEmpty();
    }
  }

  /** One that is sent over and over must not cost a chain each time, nor push others out. */
  @Test
  void forgeriesAreRememberedApartUntilTheKeysChange() {
    KeyRing ring = KeyRing.generate(new Random(14));
    var verifier = new Verifier(new Trust(ring, Revocations.NONE), 1, Verifier.CACHE_TIME);
    var other = new TokenMint(KeyRing.generate(new Random(15)), new Random(16));
    String good = new TokenMint(ring, new Random(17)).mint(List.of()).token();
    var stranger =
        Macaroon.root("ron", new byte[32], new TokenId(ring.active().id(), "0".repeat(32)).text());
    for (int round = 0; round < 3; round++) {
      assertThat(verifier.authenticate(good, NOON)).isInstanceOf(Authentication.Authentic.class);
      assertThat(fault(verifier.authenticate(stranger.token(), NOON)))
          .isInstanceOf(CapabilityFault.BadSignature.class);
      assertThat(fault(verifier.authenticate(other.mint(List.of()).token(), NOON)))
          .isInstanceOf(CapabilityFault.UnknownKey.class);
    }
    var adopted = new KeyRing(new SigningKey(ring.active().id(), new byte[32], null), List.of());
    verifier.trust(trust -> new Trust(adopted, trust.revocations(), trust.registered()));
    assertThat(verifier.authenticate(stranger.token(), NOON))
        .isInstanceOf(Authentication.Authentic.class);
  }

  private static CapabilityFault fault(Authentication authentication) {
    return ((Authentication.Refused) authentication).fault();
  }

  /** Checks under way while a token is revoked must not keep it alive through the cache. */
  @Test
  void onceARevocationReturnedNoThreadIsGrantedAnyMore() throws Exception {
    var random = new Random(12);
    KeyRing ring = KeyRing.generate(random);
    for (int round = 0; round < 50; round++) {
      Macaroon token = new TokenMint(ring, random).mint(List.of());
      var id = TokenId.parse(token.identifier()).orElseThrow();
      var verifier = new Verifier(new Trust(ring, Revocations.NONE));
      var revoked = new AtomicBoolean();
      var grantedBefore = new CountDownLatch(2);
      try (var threads = Executors.newFixedThreadPool(2)) {
        Callable<Boolean> shower =
            () -> {
              for (boolean late = false; !late; ) {
                late = revoked.get();
                boolean granted =
                    verifier.verify(token.token(), AccessRequest.of("edge", "get", NOON))
                        instanceof AccessDecision.Granted;
                if (late && granted) {
                  return false;
                }
                grantedBefore.countDown();
              }
              return true;
            };
        var answers = List.of(threads.submit(shower), threads.submit(shower));
        grantedBefore.await();
        verifier.trust(
            trust -> new Trust(trust.keys(), trust.revocations().with(id), trust.registered()));
        revoked.set(true);
        for (var answer : answers) {
          assertThat(answer.get()).as("round %d", round).isTrue();
        }
      }
    }
  }

  @Test
  void aRingRefusesContradictions() {
    var active = new SigningKey("k1", new byte[32], null);
    var ended = new SigningKey("k2", new byte[32], NOON);
    assertThatThrownBy(() -> new KeyRing(ended, List.of())).hasMessageContaining("has an end");
    assertThatThrownBy(() -> new KeyRing(active, List.of(active))).hasMessageContaining("no end");
    assertThatThrownBy(() -> new KeyRing(active, List.of(ended, ended)))
        .hasMessageContaining("twice");
    assertThatThrownBy(() -> new SigningKey("k1", new byte[31], null)).hasMessageContaining("31");
    assertThatThrownBy(() -> new SigningKey("K 1", new byte[32], null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static final class Script {
    private final Random random = new Random(11);
    private final Map<String, Macaroon> tokens = new HashMap<>();
    private KeyRing ring = KeyRing.generate(random);
    private final Verifier verifier = new Verifier(new Trust(ring, Revocations.NONE));

    void play(String script) {
      script.lines().forEach(this::step);
    }

    private void step(String line) {
      String[] sides = line.split(" +-> ", 2);
      String[] words = sides[0].split(" +", 5);
      Instant now = NOON.plusSeconds(Long.parseLong(words[0]));
      assertThat(answer(words, now)).as(line).isEqualTo(sides[1]);
    }

    private String answer(String[] words, Instant now) {
      switch (words[1]) {
        case "mint" -> tokens.put(words[2], new TokenMint(ring, random).mint(List.of()));
        case "narrow" ->
            tokens.put(words[3], tokens.get(words[2]).attenuate(Caveat.parse("rate = 9/s")));
        case "expire" -> {
          var end = new Caveat.Expiry(NOON.plusSeconds(Long.parseLong(words[4])));
          tokens.put(words[3], tokens.get(words[2]).attenuate(end));
        }
        case "rotate" -> {
          ring = ring.rotate(random, now, Duration.ofSeconds(Long.parseLong(words[2])));
          verifier.trust(trust -> new Trust(ring, trust.revocations(), trust.registered()));
        }
        case "keys" -> assertThat(ring.retired()).hasSize(Integer.parseInt(words[2]));
        case "revoke" -> {
          var id = TokenId.parse(tokens.get(words[2]).identifier()).orElseThrow();
          verifier.trust(
              trust -> new Trust(trust.keys(), trust.revocations().with(id), trust.registered()));
        }
        case "show" -> {
          return name(
              verifier.verify(tokens.get(words[2]).token(), AccessRequest.of("edge", "get", now)));
        }
        default -> throw new IllegalArgumentException(words[1]);
      }
      return "ok";
    }

    private static String name(AccessDecision verdict) {
      return switch (verdict) {
        case AccessDecision.Granted _ -> "granted";
        case AccessDecision.Refused(CapabilityFault fault) -> fault.getClass().getSimpleName();
      };
    }
  }

  @Test
  void aKeyForAnotherPurposeIsTheSameWhereTheRingIsAndSaysNothingOfTheKey() {
    SigningKey key = SigningKey.random(new Random(3));
    SigningKey read = new SigningKey(key.id(), key.secret(), null);
    assertThat(read.derived("receipts")).hasSize(32).isEqualTo(key.derived("receipts"));
    assertThat(key.derived("other")).isNotEqualTo(key.derived("receipts"));
    assertThat(key.derived("receipts")).isNotEqualTo(key.secret());
  }
}
