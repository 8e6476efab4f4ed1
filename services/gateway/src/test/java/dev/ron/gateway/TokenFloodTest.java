package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Macaroon;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a flood of bad tokens and of refusals may not do to those that hold a valid one. */
final class TokenFloodTest {
  private static final int RATE = 200;

  /** A flood of four threads is twenty times the rate, and leaves the gateway a core. */
  private static final long REST_NANOS = 1_000_000;

  private static final int ASKED = 40;
  private static final int SIGNATURE_BYTES = 32;

  private final KeyRing ring = KeyRing.generate(new Random(7));
  private final TokenMint mint = new TokenMint(ring, new Random(8));
  private final Verifier verifier = new Verifier(new Trust(ring, Revocations.NONE));

  private Macaroon token(String... caveats) {
    return mint.mint(List.of(caveats).stream().map(Caveat::parse).toList());
  }

  private static String bearer(String token) {
    return "Authorization: Bearer " + token + "\r\n";
  }

  /** Another one each time, since one that is sent again is known as forged. */
  private Function<RandomGenerator, String> forged() {
    byte[] bytes = Base64.getUrlDecoder().decode(token("tenant = acme").token());
    return random -> {
      byte[] copy = bytes.clone();
      for (int i = copy.length - SIGNATURE_BYTES; i < copy.length; i++) {
        copy[i] = (byte) random.nextInt();
      }
      return bearer(Base64.getUrlEncoder().withoutPadding().encodeToString(copy));
    };
  }

  private static String ofAnotherKey(RandomGenerator random) {
    var foreign = new TokenMint(KeyRing.generate(new Random(9)), random);
    return bearer(foreign.mint(List.of(Caveat.parse("tenant = acme"))).token());
  }

  private static final class Caller implements AutoCloseable {
    private final Socket socket = new Socket();
    private final String path;

    Caller(Rig rig, String from, String path) throws IOException {
      this.path = path;
      socket.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), rig.port()), 5_000);
      socket.setSoTimeout(10_000);
    }

    int ask(String headers) throws IOException {
      String request = "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return Client.answer(socket.getInputStream());
    }

    /** How many are answered, at a fifth of the rate, which is less than its part. */
    int passed(String headers) throws Exception {
      int passed = 0;
      for (int i = 0; i < ASKED; i++) {
        passed += ask(headers) == 200 ? 1 : 0;
        Rig.pause(1000 / (RATE / 5));
      }
      return passed;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /** Asks at many times the rate, from each address in turn, until it is closed. */
  private static final class Flood implements AutoCloseable {
    private static final int THREADS = 4;

    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger turnedAway = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();

    Flood(Rig rig, int addresses, String path, Function<RandomGenerator, String> headers) {
      for (int i = 0; i < THREADS; i++) {
        int first = i;
        threads.add(
            Thread.startVirtualThread(
                () -> {
                  try {
                    run(rig, first, addresses, path, headers);
                  } catch (IOException failed) {
                    throw new AssertionError(failed);
                  }
                }));
      }
    }

    private void run(
        Rig rig, int first, int addresses, String path, Function<RandomGenerator, String> headers)
        throws IOException {
      var random = new SplittableRandom(first);
      List<Caller> callers = new ArrayList<>();
      try {
        for (int i = first; i < Math.max(addresses, THREADS); i += THREADS) {
          int host = addresses == 1 ? 0 : i;
          String from = "127.0.%d.%d".formatted(host / 250, 1 + host % 250);
          callers.add(new Caller(rig, from, path));
        }
        for (int turn = 0; !stop.get(); turn = (turn + 1) % callers.size()) {
          int status = callers.get(turn).ask(headers.apply(random));
          turnedAway.addAndGet(status == 429 ? 1 : 0);
          LockSupport.parkNanos(REST_NANOS);
        }
      } finally {
        for (Caller caller : callers) {
          caller.close();
        }
      }
    }

    /** Until the rates it can use up are used up, which takes a cold JVM on busy cores a while. */
    Flood begun() throws Exception {
      assertThat(Rig.soon(60_000, () -> turnedAway.get() > 300)).as("the rate is used up").isTrue();
      return this;
    }

    @Override
    public void close() {
      stop.set(true);
      try {
        for (Thread thread : threads) {
          assertThat(thread.join(java.time.Duration.ofSeconds(10))).isTrue();
        }
      } catch (InterruptedException end) {
        throw new AssertionError("interrupted while stopping", end);
      }
    }
  }

  private Rig gateway(Backend backend) throws Exception {
    return Rig.guarded(
        verifier, "limits.rps=" + RATE, "routes=[" + Rig.table("/bytes", "", backend.port()) + "]");
  }

  /** The worst: the key's id is a real one, so only the signature tells. */
  @ParameterizedTest
  @ValueSource(strings = {"tenant = acme", "service = gateway"})
  void aTokenThatWasVerifiedIsNotHeldByForgeries(String caveat) throws Exception {
    try (Backend backend = new Backend();
        Rig rig = gateway(backend);
        var holder = new Caller(rig, "127.0.9.1", "/bytes/1")) {
      String valid = bearer(token(caveat).token());
      assertThat(holder.ask(valid)).isEqualTo(200);
      try (var _ = new Flood(rig, 300, "/bytes/1", forged()).begun()) {
        assertThat(holder.passed(valid)).isEqualTo(ASKED);
      }
    }
  }

  @Test
  void aNewTokenHasToWaitForItsVerificationOnly() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = gateway(backend);
        var holder = new Caller(rig, "127.0.9.1", "/bytes/1");
        var _ = new Flood(rig, 300, "/bytes/1", forged()).begun()) {
      String valid = bearer(token("tenant = acme").token());
      assertThat(Rig.soon(() -> isAnswered(holder, valid))).isTrue();
      assertThat(holder.passed(valid)).isEqualTo(ASKED);
    }
  }

  private static boolean isAnswered(Caller caller, String headers) {
    try {
      return caller.ask(headers) == 200;
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  void tokensOfUnknownKeysHoldNoneNotEvenANewOne() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = gateway(backend);
        var holder = new Caller(rig, "127.0.9.1", "/bytes/1");
        var _ = new Flood(rig, 300, "/bytes/1", TokenFloodTest::ofAnotherKey).begun()) {
      assertThat(holder.passed(bearer(token("tenant = acme").token()))).isEqualTo(ASKED);
    }
  }

  @Test
  void aTokenWithoutATenantHasAPartBesideStrangers() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = gateway(backend);
        var holder = new Caller(rig, "127.0.9.1", "/bytes/1");
        var _ = new Flood(rig, 300, "/bytes/1", _ -> "").begun()) {
      assertThat(holder.passed(bearer(token().token()))).isEqualTo(ASKED);
      assertThat(rig.scope.metrics().text())
          .contains("tenant=\"operator\"")
          .doesNotContain(ring.active().id());
    }
  }

  @Test
  void tokensWithoutATenantAreOneTenant() throws Exception {
    Macaroon first = token();
    Macaroon copy = first.attenuate(Caveat.parse("service = gateway"));
    try (Backend backend = new Backend();
        Rig rig = Rig.standing(verifier, "drr.rate_limit_rps=2", Rig.route("", backend.port()));
        var holder = new Caller(rig, "127.0.0.1", "/bytes/1")) {
      assertThat(holder.ask(bearer(first.token()))).isEqualTo(200);
      assertThat(holder.ask(bearer(copy.token()))).isEqualTo(200);
      assertThat(holder.ask(bearer(token().token()))).as("the tenant's rate is two").isEqualTo(429);
      assertThat(holder.ask(bearer(token("tenant = acme").token()))).as("a tenant").isEqualTo(200);
      assertThat(holder.ask("")).as("a stranger").isEqualTo(200);
    }
  }

  /** One that was lost is a flood as any; the others share the operator's part with it. */
  @Test
  void aFloodWithOneOfTheOperatorsTokensHoldsNoOther() throws Exception {
    String lost = bearer(token("service = gateway").token());
    try (Backend backend = new Backend();
        Rig rig = gateway(backend);
        var holder = new Caller(rig, "127.0.9.1", "/bytes/1");
        var tenant = new Caller(rig, "127.0.9.2", "/bytes/1")) {
      String valid = bearer(token().token());
      String acme = bearer(token("tenant = acme").token());
      assertThat(holder.ask(valid)).isEqualTo(200);
      assertThat(tenant.ask(acme)).isEqualTo(200);
      try (var _ = new Flood(rig, 20, "/bytes/1", _ -> lost).begun()) {
        assertThat(holder.passed(valid)).isEqualTo(ASKED);
        assertThat(tenant.passed(acme)).isEqualTo(ASKED);
      }
    }
  }

  /** Without a token, and with tokens that cannot be ours. */
  @ParameterizedTest
  @ValueSource(strings = {"", "Authorization: Bearer AAAA\r\n"})
  void refusalsOfAnAddressHoldNoValidTokenThere(String headers) throws Exception {
    try (Backend backend = new Backend();
        Rig rig = gateway(backend);
        var holder = new Caller(rig, "127.0.0.1", "/bytes/1");
        var _ = new Flood(rig, 1, "/nowhere", _ -> headers).begun()) {
      assertThat(holder.passed(bearer(token("tenant = acme").token()))).isEqualTo(ASKED);
    }
  }

  @Test
  void forgeriesOfAnAddressHoldNoVerifiedTokenThere() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = gateway(backend);
        var holder = new Caller(rig, "127.0.0.1", "/bytes/1")) {
      String valid = bearer(token("tenant = acme").token());
      assertThat(holder.ask(valid)).isEqualTo(200);
      try (var _ = new Flood(rig, 1, "/bytes/1", forged()).begun()) {
        assertThat(holder.passed(valid)).isEqualTo(ASKED);
      }
    }
  }

  @Test
  void whatIsRefusedToATokenCountsAgainstItAndAllItsCopies() throws Exception {
    Macaroon root = token();
    Macaroon loud = root.attenuate(Caveat.parse("tenant = loud"));
    String other = bearer(root.attenuate(Caveat.parse("tenant = acme")).token());
    String copy = bearer(loud.attenuate(Caveat.parse("service = gateway")).token());
    try (Backend backend = new Backend();
        Rig rig =
            Rig.standing(
                verifier,
                "limits.rps=" + RATE,
                "routes=[" + Rig.table("/bytes", "", backend.port()) + "]");
        var good = new Caller(rig, "127.0.0.1", "/bytes/1");
        var bad = new Caller(rig, "127.0.0.1", "/nowhere")) {
      assertThat(good.ask(bearer(loud.token()))).isEqualTo(200);
      assertThat(good.ask(copy)).isEqualTo(200);
      assertThat(good.ask(other)).isEqualTo(200);
      for (int i = 0; i < RATE / 4; i++) {
        assertThat(bad.ask(bearer(loud.token()))).isEqualTo(404);
      }
      assertThat(bad.ask(bearer(loud.token()))).as("beyond a quarter of the rate").isEqualTo(429);
      assertThat(good.ask(bearer(loud.token()))).isEqualTo(429);
      assertThat(good.ask(copy)).isEqualTo(429);
      assertThat(good.ask("")).as("a stranger at that address").isEqualTo(200);
      assertThat(good.ask(other)).as("another tenant, from the same root").isEqualTo(200);
    }
  }
}
