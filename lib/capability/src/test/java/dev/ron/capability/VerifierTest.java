package dev.ron.capability;

import static dev.ron.capability.RandomScope.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.caveat.AccessRequest;
import dev.ron.capability.caveat.Box;
import dev.ron.capability.caveat.Caveat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerifierTest {
  private final KeyRing ring = KeyRing.generate(new Random(7));
  private final TokenMint minting = new TokenMint(ring, new Random(8));
  private final Verifier verifier = new Verifier(new Trust(ring, Revocations.NONE));

  private static final AccessRequest ASK =
      AccessRequest.of("mailbox", "send", NOON)
          .forTenant("acme")
          .onPath("/o/a")
          .withBytes(100)
          .onTile("world", 5, Box.parse("10,50,11,51"));

  /** One caveat set against one ask; the answer is a pass or the name of the fault. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                               | granted
          service = mailbox                                | granted
          service = edge                                   | Scope service = edge
          service = edge; service = mailbox                | Scope service = edge
          service = edge,mailbox; service = mailbox        | granted
          op = recv,send                                   | granted
          op = recv                                        | Scope op = recv
          op = recv,send; op = recv                        | Scope op = recv
          tenant = acme                                    | granted
          tenant = acme; tenant = acme                     | granted
          tenant = zeta                                    | Scope tenant = zeta
          tenant = acme; tenant = zeta                     | Scope tenant = zeta
          tenant = zeta; tenant = acme                     | Scope tenant = zeta
          prefix = /o                                      | granted
          prefix = /o; prefix = /o/a                       | granted
          prefix = /o; prefix = /p                         | Scope prefix = /p
          prefix = /other                                  | Scope prefix = /other
          prefix = o                                       | Scope prefix = o
          expires = 2026-11-15T12:00:01Z                   | granted
          expires = 2026-11-15T12:00:00Z                   | Expired
          expires = 2026-11-15T13:00:00Z; expires = 2026-11-15T11:00:00Z | Expired
          expires = 2026-11-15T11:00:00Z; expires = 2026-11-15T13:00:00Z | Expired
          op = recv; expires = 2026-11-15T11:00:00Z        | Expired
          phase = moon; expires = 2026-11-15T11:00:00Z     | Expired
          op = recv; phase = moon                          | UnknownCaveat
          phase = moon                                     | UnknownCaveat
          bytes = 100                                      | granted
          bytes = 99                                       | Scope bytes = 99
          bytes = 200; bytes = 50                          | Scope bytes = 50
          rate = 1/s                                       | granted
          pack = world                                     | granted
          pack = europe                                    | Scope pack = europe
          zoom = 0-5                                       | granted
          zoom = 5-9                                       | granted
          zoom = 6-9                                       | Scope zoom = 6-9
          zoom = 0-5; zoom = 6-9                           | Scope zoom = 6-9
          bbox = 10,50,11,51                               | granted
          bbox = 10,50,10.9999999,51                       | Scope bbox = 10,50,10.9999999,51
          """)
  void caveatsDecide(String caveats, String answer) {
    assertThat(name(verifier.verify(mint(caveats).token(), ASK))).isEqualTo(answer);
  }

  /** What the ask does not speak of cannot be allowed; tenant and length are the two exceptions. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          service = mailbox            | granted
          prefix = /                   | Scope prefix = /
          pack = world                 | Scope pack = world
          zoom = 0-31                  | Scope zoom = 0-31
          bbox = -180,-90,180,90       | Scope bbox = -180,-90,180,90
          tenant = acme                | granted
          tenant = acme; tenant = zeta | Scope tenant = zeta
          bytes = 0                    | granted
          """)
  void anAskThatIsSilentIsRefused(String caveats, String answer) {
    AccessRequest silent = AccessRequest.of("mailbox", "send", NOON);
    assertThat(name(verifier.verify(mint(caveats).token(), silent))).isEqualTo(answer);
  }

  /** A door looks at what every request has; the rest is for the service behind it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                             | granted
          op = recv                      | granted
          prefix = /other                | granted
          pack = europe                  | granted
          zoom = 6-9                     | granted
          bbox = 0,0,1,1                 | granted
          service = edge                 | Scope service = edge
          tenant = acme; tenant = zeta   | Scope tenant = zeta
          bytes = 99                     | Scope bytes = 99
          phase = moon                   | UnknownCaveat
          expires = 2026-11-15T12:00:00Z | Expired
          """)
  void aDoorThatHandsTheTokenOnChecksWhatItCanKnow(String caveats, String answer) {
    AccessRequest atDoor = AccessRequest.of("mailbox", "post", NOON).withBytes(100);
    assertThat(name(looked(mint(caveats), held -> held.verdictAtDoor(atDoor)))).isEqualTo(answer);
  }

  /** Before a body is read the operation is known, and what it is on is not. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                             | granted
          op = send                      | granted
          op = recv                      | Scope op = recv
          prefix = /other                | granted
          pack = europe                  | granted
          bytes = 1                      | granted
          service = edge                 | Scope service = edge
          phase = moon                   | UnknownCaveat
          expires = 2026-11-15T12:00:00Z | Expired
          """)
  void beforehandTheOperationIsChecked(String caveats, String answer) {
    AccessRequest beforehand = AccessRequest.of("mailbox", "send", NOON);
    assertThat(name(looked(mint(caveats), held -> held.verdictBeforehand(beforehand))))
        .isEqualTo(answer);
  }

  private AccessDecision looked(Macaroon macaroon, Function<Capability, AccessDecision> how) {
    return switch (verifier.authenticate(macaroon.token(), NOON)) {
      case Authentication.Authentic(Capability capability) -> how.apply(capability);
      case Authentication.Refused(CapabilityFault fault) -> new AccessDecision.Refused(fault);
    };
  }

  /** A copy must not begin with a count of its own, or narrowing would widen. */
  @Test
  void copiesShareTheRateTheyInherited() {
    Macaroon token = mint("tenant = acme; rate = 20/s");
    List<InheritedRate> rates = rates(token);
    assertThat(rates).extracting(InheritedRate::perSecond).containsExactly(20L);
    for (long slower = 19; slower > 0; slower--) {
      List<InheritedRate> copy = rates(token.attenuate(new Caveat.Rate(slower)));
      assertThat(copy).extracting(InheritedRate::perSecond).containsExactly(20L, slower);
      assertThat(copy.getFirst()).isEqualTo(rates.getFirst());
    }
    assertThat(rates(token.attenuate(new Caveat.Rate(21)))).isEqualTo(rates);
    assertThat(rates(token.attenuate(new Caveat.Bytes(1)))).isEqualTo(rates);
    assertThat(rates(mint("tenant = acme; rate = 20/s"))).doesNotContainAnyElementsOf(rates);
  }

  private List<InheritedRate> rates(Macaroon macaroon) {
    return granted(verifier.verify(macaroon.token(), AccessRequest.of("mailbox", "send", NOON)))
        .rates();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /o/../p | AmbiguousPath
          /o//a   | AmbiguousPath
          /o/./a  | AmbiguousPath
          /o/%2e%2e/p | AmbiguousPath
          /o/%2E%2E/p | AmbiguousPath
          /o/..%2Fp | AmbiguousPath
          /o/..;/p | AmbiguousPath
          /o\\p   | AmbiguousPath
          ''      | AmbiguousPath
          /o/a%20b | granted
          /o/...  | granted
          /o/.hidden | granted
          /o/     | granted
          /o      | Scope prefix = /o/
          """)
  void onlyAPathWithOneReadingIsCompared(String path, String answer) {
    assertThat(name(verifier.verify(mint("prefix = /o/").token(), ASK.onPath(path))))
        .isEqualTo(answer);
  }

  @Test
  void anAmbiguousPathIsRefusedEvenWithoutAPrefix() {
    assertThat(name(verifier.verify(mint("").token(), ASK.onPath("/a/../b"))))
        .isEqualTo("AmbiguousPath");
  }

  @Test
  void theGrantCarriesTheNarrowestLimits() {
    Macaroon token =
        mint("tenant = acme; rate = 9/s; bytes = 500; rate = 3/s; rate = 7/s; bytes = 800");
    Grant grant =
        granted(verifier.verify(token.token(), AccessRequest.of("mailbox", "send", NOON)));
    assertThat(grant.tenant()).contains("acme");
    assertThat(grant.rates().getLast().perSecond()).isEqualTo(3);
    assertThat(grant.bytesMax()).isEqualTo(OptionalLong.of(500));
    assertThat(grant.expires()).isEmpty();
    assertThat(grant.keyId()).isEqualTo(ring.active().id());
    assertThat(grant.tokenHashPrefix()).isEqualTo(token.hashPrefix());
  }

  @Test
  void aTokenWithoutTenantServesTheOneAskedFor() {
    String token = mint("op = send").token();
    assertThat(granted(verifier.verify(token, ASK)).tenant()).contains("acme");
    assertThat(granted(verifier.verify(token, AccessRequest.of("edge", "send", NOON))).tenant())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''               | Missing
          %%%              | Malformed
          AgET             | Malformed
          Bearer AgET      | Malformed
          """)
  void whatIsNoTokenIsRefused(String text, String answer) {
    assertThat(name(verifier.verify(text, ASK))).isEqualTo(answer);
  }

  @Test
  void aForeignTokenIsRefused() {
    var foreign = Macaroon.root("elsewhere", new byte[32], "some id");
    assertThat(name(verifier.verify(foreign.token(), ASK))).isEqualTo("Malformed");
    var otherRing = new TokenMint(KeyRing.generate(new Random(99)), new Random(1));
    assertThat(name(verifier.verify(otherRing.mint(List.of()).token(), ASK)))
        .isEqualTo("UnknownKey");
    var sameName = new KeyRing(new SigningKey(ring.active().id(), new byte[32], null), List.of());
    assertThat(
            name(
                verifier.verify(
                    new TokenMint(sameName, new Random(1)).mint(List.of()).token(), ASK)))
        .isEqualTo("BadSignature");
  }

  @Test
  void bothAlphabetsAndPaddingAreRead() {
    var random = new Random(3);
    for (int i = 0; i < 300; i++) {
      var token = new TokenMint(ring, random).mint(List.of(RandomScope.caveat(random)));
      byte[] encoded = MacaroonCodec.encode(token);
      for (var encoder :
          List.of(
              Base64.getEncoder(), Base64.getEncoder().withoutPadding(), Base64.getUrlEncoder())) {
        assertThat(MacaroonCodec.decode(encoder.encodeToString(encoded)))
            .isEqualTo(new MacaroonCodec.Decoding.Decoded(token));
      }
    }
  }

  @Test
  void nothingPrintedHoldsTheTokenOrTheSecret() {
    Macaroon token = mint("op = send; phase = moon");
    String secret = HexFormat.of().formatHex(ring.active().secret());
    AccessDecision verdict = verifier.verify(token.token(), ASK);
    String signature = HexFormat.of().formatHex(token.signature());
    assertThat(
            List.of(
                token.toString(),
                verdict.toString(),
                ring.toString(),
                new Trust(ring, Revocations.NONE).toString(),
                minting.toString()))
        .noneMatch(
            text ->
                text.contains(token.token()) || text.contains(secret) || text.contains(signature));
    assertThat(token.toString()).isEqualTo("Macaroon[" + token.hashPrefix() + "]");
  }

  @Test
  void faultsSayWhatToDoWithoutControlCharacters() {
    Macaroon token =
        mint("").attenuate(new Caveat.Unknown("evil\n\u001b[31m = " + "x".repeat(200)));
    var refused = (AccessDecision.Refused) verifier.verify(token.token(), ASK);
    assertThat(refused.fault().worthless()).isFalse();
    assertThat(refused.fault().detail()).doesNotContainPattern("\\p{Cntrl}").hasSizeLessThan(250);
  }

  @Test
  void cachingNeverChangesAnAnswer() {
    long seed = 0x5eed_0003L;
    var random = new Random(seed);
    var uncached = new Verifier(new Trust(ring, Revocations.NONE), 1, Duration.ZERO);
    var tiny = new Verifier(new Trust(ring, Revocations.NONE), 2, Duration.ofSeconds(30));
    var tokens = new ArrayList<String>();
    for (int i = 0; i < 40; i++) {
      var token = new TokenMint(ring, random).mint(List.of());
      for (int n = random.nextInt(4); n > 0; n--) {
        token = token.attenuate(RandomScope.caveat(random));
      }
      tokens.add(token.token());
    }
    for (int i = 0; i < 10_000; i++) {
      String token = RandomScope.pick(random, tokens);
      AccessRequest ask = RandomScope.ask(random);
      AccessDecision expected = uncached.verify(token, ask);
      assertThat(verifier.verify(token, ask)).as("seed %d, case %d", seed, i).isEqualTo(expected);
      assertThat(tiny.verify(token, ask)).as("seed %d, case %d", seed, i).isEqualTo(expected);
    }
  }

  private Macaroon mint(String caveats) {
    return minting.mint(
        caveats.isEmpty()
            ? List.of()
            : Arrays.stream(caveats.split("; ", -1)).map(Caveat::parse).toList());
  }

  private static Grant granted(AccessDecision verdict) {
    assertThat(verdict).isInstanceOf(AccessDecision.Granted.class);
    return ((AccessDecision.Granted) verdict).grant();
  }

  private static String name(AccessDecision verdict) {
    return switch (verdict) {
      case AccessDecision.Granted _ -> "granted";
      case AccessDecision.Refused(CapabilityFault.Scope(Caveat caveat)) -> "Scope " + caveat.text();
      case AccessDecision.Refused(CapabilityFault fault) -> fault.getClass().getSimpleName();
    };
  }
}
