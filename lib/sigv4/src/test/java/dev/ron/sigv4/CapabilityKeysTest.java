package dev.ron.sigv4;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.CapabilityFault;
import dev.ron.capability.KeyPair;
import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Key pairs made of capabilities sign requests, and the server needs no table to check them. */
class CapabilityKeysTest {
  private static final Instant NOW = Instant.parse("2026-11-15T10:00:00Z");
  private static final PayloadMode EMPTY = new PayloadMode.Hashed(SignatureText.EMPTY_SHA256);
  private static final SignedRequest REQUEST = Requests.of("GET /b/k\nHost: h");

  private final KeyRing ring = KeyRing.generate(new Random(1));
  private final Verifier capabilities = new Verifier(new Trust(ring, Revocations.NONE));
  private final SignatureVerifier verifier = new SignatureVerifier(ServiceRules.S3, this::find);

  /** As a door does it. */
  private KeySource.Found find(KeySource.Claim claim) {
    return switch (capabilities.find(claim.accessKeyId(), claim.sessionToken(), NOW)) {
      case KeyPair.Found found ->
          new KeySource.Found.Key(DerivedKey.of(found.secret(), claim.scope()));
      case KeyPair.Lookup.Refused(CapabilityFault.Expired _) ->
          new KeySource.Found.None(new SignatureFault.ExpiredToken());
      case KeyPair.Lookup.Refused _ ->
          new KeySource.Found.None(new SignatureFault.UnknownAccessKey());
    };
  }

  private static RequestSigner signer(KeyPair pair) {
    return signer(pair, pair.secret());
  }

  private static RequestSigner signer(KeyPair pair, String secret) {
    return new RequestSigner(
        ServiceRules.S3, pair.accessKeyId(), secret, pair.sessionToken(), "us-east-1");
  }

  private KeyPair pair(String... caveats) {
    return KeyPair.of(
        new TokenMint(ring, new Random(2))
            .mint(List.of(caveats).stream().map(Caveat::parse).toList()));
  }

  @Test
  void aPairSigns() {
    KeyPair wide = pair("op = get,list", "bucket = b");
    for (KeyPair pair :
        List.of(
            wide,
            wide.attenuate(Caveat.parse("key = a/")),
            wide.attenuateSession(Caveat.parse("key = a/")))) {
      var header = signer(pair).sign(REQUEST, EMPTY, NOW).request();
      assertThat(Requests.verified(verifier.verify(header, NOW)).accessKeyId())
          .isEqualTo(pair.accessKeyId());
      Requests.verified(
          verifier.verify(signer(pair).presign(REQUEST, Duration.ofMinutes(5), NOW), NOW));
    }
  }

  /** The holder of a narrowed pair cannot sign as the wider one, nor without its session token. */
  @Test
  void aNarrowedPairStaysNarrow() {
    KeyPair wide = pair();
    KeyPair narrow = wide.attenuate(Caveat.parse("op = get"));
    KeyPair beside = wide.attenuateSession(Caveat.parse("op = get"));
    for (RequestSigner cheat :
        List.of(
            signer(wide, narrow.secret()),
            signer(wide, beside.secret()),
            signer(narrow, wide.secret()))) {
      assertThat(Requests.fault(verifier.verify(cheat.sign(REQUEST, EMPTY, NOW).request(), NOW)))
          .isInstanceOf(SignatureFault.Mismatch.class);
    }
    var stripped =
        Requests.without(
            signer(beside).sign(REQUEST, EMPTY, NOW).request(), "x-amz-security-token");
    assertThat(Requests.fault(verifier.verify(stripped, NOW)))
        .isInstanceOf(SignatureFault.Mismatch.class);
  }

  /** The key of the day stays with a proven pair, and goes with the trust it was found in. */
  @Test
  void theKeyOfTheDayIsMadeOnceAndGoesWithItsPair() {
    KeyPair pair = pair();
    var claim = claim(pair, "20261115");
    DerivedKey first = proven(claim);
    assertThat(proven(claim)).isSameAs(first);
    assertThat(proven(claim(pair, "20261116"))).isNotSameAs(first);
    KeyPair.Found found =
        (KeyPair.Found) capabilities.find(pair.accessKeyId(), pair.sessionToken(), NOW);
    capabilities.trust(
        trust ->
            new Trust(
                trust.keys(),
                trust.revocations().with(found.capability().id()),
                trust.registered()));
    assertThat(new CapabilityKeys(capabilities, NOW).find(claim))
        .isEqualTo(
            new KeySource.Found.None(new SignatureFault.InvalidToken("the key pair was revoked")));
    var rotated = new Verifier(new Trust(KeyRing.generate(new Random(9)), Revocations.NONE));
    assertThat(new CapabilityKeys(rotated, NOW).find(claim))
        .isEqualTo(new KeySource.Found.None(new SignatureFault.UnknownAccessKey()));
  }

  private static KeySource.Claim claim(KeyPair pair, String day) {
    return new KeySource.Claim(
        pair.accessKeyId(), pair.sessionToken(), new CredentialScope(day, "us-east-1", "s3"));
  }

  private DerivedKey proven(KeySource.Claim claim) {
    var keys = new CapabilityKeys(capabilities, NOW);
    KeySource.Found found = keys.find(claim);
    keys.proven();
    return ((KeySource.Found.Key) found).key();
  }

  @Test
  void anEndedPairIsAnExpiredToken() {
    var ended = signer(pair("expires = 2026-11-15T10:00:00Z")).sign(REQUEST, EMPTY, NOW).request();
    assertThat(Requests.fault(verifier.verify(ended, NOW)))
        .isEqualTo(new SignatureFault.ExpiredToken());
  }
}
