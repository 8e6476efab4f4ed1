package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Macaroon;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenId;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.testkit.RawClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What passes for long ends with the capability that let it in. */
@Timeout(60)
class CapabilityEndTest {
  private final KeyRing ring = KeyRing.generate(new Random(21));
  private final TokenMint minting = new TokenMint(ring, new Random(22));
  private final Verifier verifier = new Verifier(new Trust(ring, Revocations.NONE));

  @Test
  void aWebSocketEndsWhenItsCapabilityIsRevoked() throws Exception {
    Macaroon macaroon = minting.mint(List.of());
    try (RawUpstream upstream = new RawUpstream(CapabilityEndTest::webSocket);
        Rig rig = Rig.guarded(verifier, Rig.route("", upstream.port()));
        RawClient client = rig.connect()) {
      assertThat(opened(client, macaroon)).contains(" 101 ");
      revoke(macaroon);
      assertThat(client.rest()).as("closed").isEqualTo("!");
      assertThat(Rig.soon(rig::isQuiet)).isTrue();
    }
  }

  @Test
  void aWebSocketEndsWhenItsCapabilityExpires() throws Exception {
    try (RawUpstream upstream = new RawUpstream(CapabilityEndTest::webSocket);
        Rig rig = Rig.guarded(verifier, Rig.route("", upstream.port()))) {
      // On a busy machine a short time may be over before the request is there: then a longer one.
      boolean open = false;
      for (int seconds = 2; !open; seconds *= 2) {
        assertThat(seconds).as("less than a client's patience").isLessThan(10);
        var end = Caveat.Expiry.after(Instant.now(), Duration.ofSeconds(seconds));
        try (RawClient client = rig.connect()) {
          open = opened(client, minting.mint(List.of(end))).contains(" 101 ");
          if (open) {
            assertThat(client.rest()).as("closed").isEqualTo("!");
          }
        }
      }
    }
  }

  @Test
  void aWebSocketOutlivesAChangeThatIsNotItsOwn() throws Exception {
    Macaroon macaroon = minting.mint(List.of());
    try (RawUpstream upstream = new RawUpstream(CapabilityEndTest::webSocket);
        Rig rig = Rig.guarded(verifier, Rig.route("", upstream.port()));
        RawClient client = rig.connect()) {
      assertThat(opened(client, macaroon)).contains(" 101 ");
      revoke(minting.mint(List.of()));
      // One that ends meanwhile shows that those that look again have looked.
      Macaroon other = minting.mint(List.of());
      try (RawClient ended = rig.connect()) {
        assertThat(opened(ended, other)).contains(" 101 ");
        revoke(other);
        assertThat(ended.rest()).isEqualTo("!");
      }
      client.send("ping");
      assertThat(client.socket().getInputStream().readNBytes(5)).asString().isEqualTo("!ping");
    }
  }

  @Test
  void aDownloadEndsWhenItsCapabilityIsRevoked() throws Exception {
    Macaroon macaroon = minting.mint(List.of());
    try (RawUpstream upstream = new RawUpstream(CapabilityEndTest::endless);
        Rig rig = Rig.guarded(verifier, Rig.route("", upstream.port()));
        RawClient client = rig.connect()) {
      client.send(
          RawClient.http(
              "GET /x HTTP/1.1", "Host: a", "Authorization: Bearer " + macaroon.token(), "", ""));
      assertThat(client.head()).contains(" 200 ");
      revoke(macaroon);
      assertThat(client.rest()).doesNotEndWith("0\r\n\r\n");
    }
  }

  private static String opened(RawClient client, Macaroon macaroon) throws IOException {
    return client
        .send(
            RawClient.http(
                "GET /ws HTTP/1.1",
                "Host: a",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Key: k",
                "Authorization: Bearer " + macaroon.token(),
                "",
                ""))
        .head();
  }

  private static void webSocket(InputStream in, Socket socket) throws IOException {
    RawUpstream.head(in);
    RawUpstream.say(
        socket,
        RawClient.http(
            "HTTP/1.1 101 Switching Protocols",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Accept: x",
            "",
            "!"));
    for (int b = in.read(); b >= 0; b = in.read()) {
      socket.getOutputStream().write(b);
    }
  }

  private static void endless(InputStream in, Socket socket) throws IOException {
    RawUpstream.head(in);
    RawUpstream.say(
        socket, RawClient.http("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "1", ".", ""));
    // Nothing more, and no end.
    in.read();
  }

  private void revoke(Macaroon macaroon) {
    TokenId id = TokenId.parse(macaroon.identifier()).orElseThrow();
    verifier.trust(
        trust -> new Trust(trust.keys(), new Revocations(Set.of(id)), trust.registered()));
  }
}
