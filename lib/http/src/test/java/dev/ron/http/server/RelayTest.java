package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.RawClient;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server needs that passes on the answers of others. */
final class RelayTest {
  private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";

  @TempDir private Path folder;

  @Test
  void aRelayedAnswerKeepsItsDateAndGetsNoPolicyForItsPage() throws Exception {
    String then = "Mon, 01 Jan 2024 00:00:00 GMT";
    Inline old = x -> x.answer(Answer.text(200, "old").with("Date", then));
    try (var server = new TestServer(Routes.of().add(Route.of("GET", "/a", "a", old).relaying()))) {
      String answer = server.ask(GET);
      assertThat(answer).containsOnlyOnce("Date: ").contains("Date: " + then);
      assertThat(answer).contains("Referrer-Policy: no-referrer");
      assertThat(answer).doesNotContain("Content-Security-Policy", "X-Content-Type-Options");
    }
  }

  @Test
  void anInterimHeadGoesBeforeTheAnswerAndNotToOldPeers() throws Exception {
    Inline hinted =
        x -> {
          x.interim(103, Headers.of("Link", "</a.css>; rel=preload"));
          x.answer(Answer.text(200, "page"));
        };
    try (var server = new TestServer(Routes.of().get("/a", "a", hinted))) {
      try (RawClient client = server.connect()) {
        assertThat(client.send(GET).head())
            .isEqualTo("HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n");
        assertThat(client.answer()).startsWith("HTTP/1.1 200 OK\r\n").endsWith("page");
      }
      assertThat(server.ask("GET /a HTTP/1.0\r\nHost: a\r\n\r\n")).startsWith("HTTP/1.1 200 OK");
    }
  }

  @Test
  void theClientHearsInterimHeads() throws Exception {
    Inline hinted =
        x -> {
          x.interim(102, new Headers());
          x.interim(103, Headers.of("Link", "</a.css>"));
          x.answer(Answer.text(200, "page"));
        };
    List<String> heard = new CopyOnWriteArrayList<>();
    try (var server = new TestServer(Routes.of().get("/a", "a", hinted));
        var client = client(server);
        var answer =
            client.send(
                ClientRequest.get(uri(server)),
                Deadline.in(Duration.ofSeconds(10), server.scope.time()),
                Duration.ofSeconds(10),
                (status, headers) -> heard.add(status + " " + headers.first("Link")))) {
      assertThat(answer.status()).isEqualTo(200);
      assertThat(heard).containsExactly("102 null", "103 </a.css>");
    }
  }

  /** Such as a server says it that writes one for every answer; peers end the stream for it. */
  @Test
  void anAnswerThatHasNoBodyTellsNoLengthOfOneToAStream() throws Exception {
    Inline none = x -> x.begin(204, new Headers(), 5).end(new Headers());
    try (var server = new TestServer(Routes.of().get("/a", "a", none));
        var client = client(server);
        var answer =
            client.send(
                ClientRequest.get(URI.create("h2c://127.0.0.1:" + uri(server).getPort() + "/a")),
                Deadline.in(Duration.ofSeconds(10), server.scope.time()),
                Duration.ofSeconds(10),
                (_, _) -> {})) {
      assertThat(answer.status()).isEqualTo(204);
      assertThat(answer.headers().has("Content-Length")).isFalse();
      assertThat(answer.collect(10)).isEmpty();
    }
  }

  /** What waits for a peer that does not read would take memory without end. */
  @Test
  void interimHeadsAreNotKeptForAPeerThatDoesNotRead() throws Exception {
    int heads = 1000;
    var over = new CountDownLatch(1);
    List<Long> waiting = new CopyOnWriteArrayList<>();
    Inline chatty =
        x -> {
          var hint = Headers.of("Link", "x".repeat(16 << 10));
          for (int i = 0; i < heads; i++) {
            x.interim(103, hint);
          }
          waiting.add(x.channel().unsafe().outboundBuffer().totalPendingWriteBytes());
          over.countDown();
          x.answer(Answer.text(200, "page"));
        };
    try (var server = new TestServer(Routes.of().get("/a", "a", chatty));
        RawClient client = server.connect()) {
      client.send(GET);
      assertThat(over.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(waiting.getFirst()).isLessThan(1 << 20);
      assertThat(client.head()).startsWith("HTTP/1.1 103 ");
    }
  }

  @Test
  void anInlineHandlerThatWouldHaveToWaitGoesOnOnAThreadOfItsOwn() throws Exception {
    Inline undecided =
        x -> x.block(same -> Answer.text(200, "virtual " + Thread.currentThread().isVirtual()));
    try (var server = new TestServer(Routes.of().get("/a", "a", undecided))) {
      assertThat(server.ask(GET)).endsWith("virtual true");
    }
  }

  @Test
  void aServerThatFallsSilentIsGivenUpLongBeforeTheDeadline() throws Exception {
    var never = new CountDownLatch(1);
    Blocking half =
        _ ->
            Answer.stream(
                200,
                new Headers(),
                sink -> {
                  sink.write(new byte[100]);
                  never.await();
                  return new Headers();
                });
    try (var server = new TestServer(Routes.of().get("/a", "a", half));
        var client = client(server);
        var answer =
            client.send(
                ClientRequest.get(uri(server)),
                Deadline.in(Duration.ofMinutes(10), server.scope.time()),
                Duration.ofSeconds(2),
                (_, _) -> {})) {
      assertThatThrownBy(() -> answer.collect(1000))
          .isInstanceOfSatisfying(
              Refusal.class,
              refusal -> assertThat(refusal.fault()).isInstanceOf(KernelFault.Timeout.class));
      never.countDown();
    }
  }

  @Test
  void anAnswerThatMemoryDoesNotSufficeForIsCutAndNotLeftHanging() throws Exception {
    Blocking tooMuch =
        _ ->
            Answer.stream(
                200,
                new Headers(),
                1000,
                sink -> {
                  sink.ahead(100);
                  sink.write(new byte[300]);
                  throw new OutOfMemoryError("for a test");
                });
    try (var server = new TestServer(Routes.of().get("/a", "a", tooMuch));
        RawClient client = server.connect()) {
      client.send(GET).head();
      assertThat(client.socket().getInputStream().readAllBytes()).hasSizeLessThan(1000);
    }
  }

  @Test
  void whoeverLentAFileHearsWhenItWasSent() throws Exception {
    Path path = Files.writeString(folder.resolve("f"), "0123456789");
    var letGo = new CountDownLatch(1);
    try (FileChannel file = FileChannel.open(path)) {
      Inline lent =
          x ->
              x.answer(
                  Answer.file(200, new Headers(), new Body.Region(file, 2, 3, letGo::countDown)));
      try (var server = new TestServer(Routes.of().get("/a", "a", lent))) {
        assertThat(server.ask(GET)).endsWith("234");
        assertThat(letGo.await(10, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  private static HttpClient client(TestServer server) throws Exception {
    return new HttpClient(server.scope, HttpClientConfig.standard().with(AddressPolicy.ANY));
  }

  private static URI uri(TestServer server) {
    return URI.create("http://127.0.0.1:" + server.port() + "/a");
  }
}
