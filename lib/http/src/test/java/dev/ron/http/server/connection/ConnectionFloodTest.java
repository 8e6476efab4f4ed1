package dev.ron.http.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.server.Blocking;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Inline;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.testkit.RawClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Connections that only stay open keep no client out. */
final class ConnectionFloodTest {
  private static final int MAX = 16;
  private static final String GET = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String HEALTH = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String HELD = "GET /held HTTP/1.1\r\nHost: a\r\n\r\n";
  private final CountDownLatch begun = new CountDownLatch(MAX);
  private final CountDownLatch release = new CountDownLatch(1);

  private TestServer server() throws Exception {
    Inline hello = x -> x.answer(Answer.text(200, "hello"));
    Blocking held =
        _ -> {
          begun.countDown();
          release.await();
          return Answer.text(200, "held");
        };
    var limits = new Limits(MAX, 16 * 1024, 100, 1024, 512, 0);
    return new TestServer(
        HttpServerConfig.on("127.0.0.1", 0).with(limits),
        Routes.of().get("/hello", "hello", hello).get("/held", "held", held));
  }

  private static List<RawClient> connect(TestServer server, int count, String first)
      throws Exception {
    var clients = new ArrayList<RawClient>();
    for (int i = 0; i < count; i++) {
      clients.add(server.connect().send(first));
    }
    return clients;
  }

  private static boolean isOpen(RawClient client) {
    try {
      return client.send(GET).answer().endsWith("hello");
    } catch (IOException closed) {
      return false;
    }
  }

  private static void closeAll(List<RawClient> clients) throws Exception {
    for (RawClient client : clients) {
      client.close();
    }
  }

  @Test
  void theNextClientGetsThePlaceOfTheLongestIdle() throws Exception {
    try (var server = server()) {
      List<RawClient> idle = connect(server, MAX, GET);
      for (RawClient client : idle) {
        assertThat(client.answer()).endsWith("hello");
      }
      List<RawClient> newcomers = connect(server, MAX / 2, GET);
      for (RawClient client : newcomers) {
        assertThat(client.answer()).endsWith("hello");
      }
      assertThat(newcomers).as("not closed for each other").allMatch(ConnectionFloodTest::isOpen);
      assertThat(idle.stream().filter(ConnectionFloodTest::isOpen)).hasSize(MAX - MAX / 2);
      assertThat(server.ask(HEALTH)).contains(" 200 ");
      closeAll(newcomers);
      closeAll(idle);
    }
  }

  @Test
  void unfinishedHeadsAreNoRequests() throws Exception {
    try (var server = server()) {
      List<RawClient> slow = connect(server, MAX, "GET /hello HT");
      assertThat(server.ask(HEALTH)).contains(" 200 ");
      assertThat(server.ask(GET)).endsWith("hello");
      closeAll(slow);
    }
  }

  @Test
  void requestsKeepTheirPlaceAndHealthIsStillAnswered() throws Exception {
    try (var server = server()) {
      List<RawClient> busy = connect(server, MAX, HELD);
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(server.ask(HEALTH)).contains(" 200 ");
      assertThat(server.ask(GET)).contains(" 429 ", "connections is full at 16");
      release.countDown();
      for (RawClient client : busy) {
        assertThat(client.answer()).endsWith("held");
      }
      closeAll(busy);
    }
  }

  @Test
  void aPeerIsAnAddressOrHalfOfOne() throws Exception {
    assertThat(key("192.0.2.1")).isEqualTo(key("192.0.2.1")).isNotEqualTo(key("192.0.2.2"));
    assertThat(key("2001:db8::1")).isEqualTo(key("2001:db8::ffff:1"));
    assertThat(key("2001:db8::1")).isNotEqualTo(key("2001:db8:0:1::1"));
    assertThat(key("127.0.0.1")).isEqualTo(key("::1")).isEqualTo(PeerKey.LOCAL);
  }

  private static PeerKey key(String address) {
    return PeerKey.of(new InetSocketAddress(address, 1));
  }
}
