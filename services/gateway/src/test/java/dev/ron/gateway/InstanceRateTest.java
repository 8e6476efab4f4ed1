package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyRing;
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
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** {@code limits.rps} over sockets: a flood takes what the others leave, and no more. */
final class InstanceRateTest {
  private static final int RATE = 200;

  /** A flood of eight threads is forty times the rate, and leaves the gateway a core. */
  private static final long REST_NANOS = 1_000_000;

  private final KeyRing ring = KeyRing.generate(new Random(7));
  private final TokenMint minting = new TokenMint(ring, new Random(8));
  private final Verifier verifier = new Verifier(new Trust(ring, Revocations.NONE));

  private String token(String tenant) {
    return "Authorization: Bearer "
        + minting.mint(List.of(Caveat.parse("tenant = " + tenant))).token()
        + "\r\n";
  }

  /** One connection from one address, for as many requests as are wanted. */
  private static final class Caller implements AutoCloseable {
    private final Socket socket = new Socket();
    private final byte[] request;

    Caller(Rig rig, String from, String headers) throws IOException {
      socket.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), rig.port()), 5_000);
      socket.setSoTimeout(10_000);
      request =
          ("GET /bytes/1 HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n")
              .getBytes(StandardCharsets.US_ASCII);
    }

    int ask() throws IOException {
      socket.getOutputStream().write(request);
      return Client.answer(socket.getInputStream());
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /** Eight connections that ask at many times the rate until it is closed. */
  private static final class Flood implements AutoCloseable {
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger passed = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();

    Flood(Rig rig, String from, String headers) {
      for (int i = 0; i < 8; i++) {
        threads.add(Thread.startVirtualThread(() -> run(rig, from, headers)));
      }
    }

    private void run(Rig rig, String from, String headers) {
      try (var caller = new Caller(rig, from, headers)) {
        while (!stop.get()) {
          (caller.ask() == 200 ? passed : refused).incrementAndGet();
          LockSupport.parkNanos(REST_NANOS);
        }
      } catch (IOException failed) {
        throw new AssertionError(failed);
      }
    }

    @Override
    public void close() {
      stop.set(true);
      try {
        for (Thread thread : threads) {
          thread.join(10_000);
        }
      } catch (InterruptedException end) {
        throw new AssertionError("interrupted while stopping", end);
      }
    }
  }

  private static int passedOf(Caller caller, int count) throws Exception {
    int passed = 0;
    for (int i = 0; i < count; i++) {
      passed += caller.ask() == 200 ? 1 : 0;
      Rig.pause(1000 / (RATE / 5)); // a fifth of the rate, less than its part
    }
    return passed;
  }

  private static void awaitRefusals(Flood flood) throws Exception {
    assertThat(Rig.soon(() -> flood.refused.get() > 50)).as("the rate is used up").isTrue();
  }

  @Test
  void aFloodOfStrangersLeavesTenantsAndOtherAddressesTheirPart() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = Rig.guarded(verifier, "limits.rps=" + RATE, Rig.route("", backend.port()));
        var flood = new Flood(rig, "127.0.0.1", "");
        var tenant = new Caller(rig, "127.0.0.1", token("acme"));
        var stranger = new Caller(rig, "127.0.0.2", "")) {
      awaitRefusals(flood);
      assertThat(passedOf(tenant, 40)).as("a tenant at the same address").isEqualTo(40);
      assertThat(passedOf(stranger, 40)).as("another address").isEqualTo(40);
      assertThat(flood.passed.get()).as("and takes what is left").isGreaterThan(RATE);
    }
  }

  @Test
  void aFloodOfATenantLeavesOthersTheirPart() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = Rig.guarded(verifier, "limits.rps=" + RATE, Rig.route("", backend.port()));
        var flood = new Flood(rig, "127.0.0.1", token("loud"));
        var tenant = new Caller(rig, "127.0.0.2", token("acme"));
        var stranger = new Caller(rig, "127.0.0.3", "")) {
      awaitRefusals(flood);
      assertThat(passedOf(tenant, 40)).isEqualTo(40);
      assertThat(passedOf(stranger, 40)).isEqualTo(40);
      assertThat(rig.metric("gateway_quota_exhaustions_total{tenant=\"acme\"}")).isZero();
    }
  }

  @Test
  void tenantsOfAClosedNetworkShareItTooFromOneAddress() throws Exception {
    try (Backend backend = new Backend();
        Rig rig =
            Rig.open(
                "limits.rps=" + RATE, "drr.tenant_header=X-Tenant", Rig.route("", backend.port()));
        var flood = new Flood(rig, "127.0.0.1", "X-Tenant: loud\r\n");
        var tenant = new Caller(rig, "127.0.0.1", "X-Tenant: quiet\r\n")) {
      awaitRefusals(flood);
      assertThat(passedOf(tenant, 40)).isEqualTo(40);
    }
  }

  @Test
  void clientsBehindATrustedProxyAreToldApart() throws Exception {
    try (Backend backend = new Backend();
        Rig rig =
            Rig.open(
                "limits.rps=" + RATE,
                "trusted_proxies=[\"127.0.0.1\"]",
                Rig.route("", backend.port()));
        var flood = new Flood(rig, "127.0.0.1", "X-Forwarded-For: 10.9.9.9, 192.0.2.1\r\n");
        var client = new Caller(rig, "127.0.0.1", "X-Forwarded-For: 192.0.2.1, 192.0.2.2\r\n")) {
      awaitRefusals(flood);
      assertThat(passedOf(client, 40)).isEqualTo(40);
    }
  }
}
