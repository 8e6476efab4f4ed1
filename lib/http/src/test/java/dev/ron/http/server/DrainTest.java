package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.http.testing.TestServer;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.RawClient;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A server that goes down finishes what it began, and counts what it could not. */
final class DrainTest {
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  private final Blocking held =
      _ -> {
        begun.countDown();
        release.await();
        return Answer.text(200, "done");
      };
  private final Inline hello = x -> x.answer(Answer.text(200, "hello"));
  private final Routes routes =
      Routes.of().get("/held", "held", held).get("/hello", "hello", hello);

  @Test
  void whatIsInFlightIsFinishedAndTheConnectionClosed() throws Exception {
    try (var server = new TestServer(routes);
        var client = server.connect();
        var idle = server.connect();
        var busyToo = server.connect()) {
      assertThat(busyToo.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").answer()).endsWith("hello");
      client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(begun.await(5, TimeUnit.SECONDS)).isTrue();
      server.server.stopIntake();
      assertThat(idle.rest()).isEmpty();
      assertThat(busyToo.rest()).isEmpty();
      assertThatThrownBy(() -> new RawClient(server.port())).isInstanceOf(IOException.class);
      release.countDown();
      assertThat(client.answer()).contains("Connection: close").endsWith("done");
      assertThat(client.rest()).isEmpty();
      int cut = server.server.close(Deadline.in(Duration.ofSeconds(5), server.scope.time()));
      assertThat(cut).isZero();
    }
  }

  @Test
  void whatOutlivesTheDeadlineIsCutAndCounted() throws Exception {
    var server = new TestServer(routes);
    try (var client = server.connect()) {
      client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(begun.await(5, TimeUnit.SECONDS)).isTrue();
      int cut = server.server.close(Deadline.in(Duration.ofMillis(100), server.scope.time()));
      assertThat(cut).isEqualTo(1);
      assertThat(client.rest()).isIn("", "<reset>");
    } finally {
      release.countDown();
    }
  }

  @Test
  void aTreeOpensAndDrainsIt() throws Exception {
    var server = new TestServer(routes);
    server.close();
    var door = new HttpServer(fresh(), HttpServerConfig.on("127.0.0.1", 0), routes);
    var scope = fresh();
    var tree = Supervisor.named("web").door("http", door).start(scope);
    int port = door.port();
    try (var client = new RawClient(port)) {
      assertThat(client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").answer()).endsWith("hello");
    }
    assertThat(tree.drain().clean()).isTrue();
    assertThatThrownBy(() -> new RawClient(port)).isInstanceOf(ConnectException.class);
  }

  private static dev.ron.kernel.Scope fresh() {
    return dev.ron.kernel.Scope.of(
        "web", dev.ron.kernel.World.real(dev.ron.kernel.log.Log.silent()));
  }

  @Test
  void overHttp2TheStreamInFlightIsFinished() throws Exception {
    var server = new TestServer(routes);
    try (var client = client()) {
      var answer = new java.util.concurrent.CompletableFuture<String>();
      Thread.startVirtualThread(() -> answer.complete(ask(client, server.port())));
      assertThat(begun.await(5, TimeUnit.SECONDS)).isTrue();
      server.server.stopIntake();
      release.countDown();
      assertThat(answer.get(5, TimeUnit.SECONDS)).isEqualTo("200 done");
      int cut = server.server.close(Deadline.in(Duration.ofSeconds(5), server.scope.time()));
      assertThat(cut).isZero();
    }
  }

  @Test
  void overHttp2TheStreamThatOutlivesTheDeadlineIsCut() throws Exception {
    var server = new TestServer(routes);
    try (var client = client()) {
      var answer = new java.util.concurrent.CompletableFuture<String>();
      Thread.startVirtualThread(() -> answer.complete(ask(client, server.port())));
      assertThat(begun.await(5, TimeUnit.SECONDS)).isTrue();
      int cut = server.server.close(Deadline.in(Duration.ofMillis(100), server.scope.time()));
      assertThat(cut).isEqualTo(1);
      assertThat(answer.get(5, TimeUnit.SECONDS)).contains("upstream");
    } finally {
      release.countDown();
    }
  }

  private static HttpClient client() throws IOException {
    return new HttpClient(fresh(), HttpClientConfig.standard().with(AddressPolicy.ANY));
  }

  private static String ask(HttpClient client, int port) {
    var request = ClientRequest.get(URI.create("h2c://127.0.0.1:" + port + "/held"));
    try (var answer = client.send(request, Deadline.NEVER)) {
      return answer.status() + " " + new String(answer.collect(100), StandardCharsets.US_ASCII);
    } catch (IOException | InterruptedException e) {
      return e.getMessage();
    }
  }
}
