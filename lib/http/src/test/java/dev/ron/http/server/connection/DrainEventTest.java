package dev.ron.http.server.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.Inline;
import dev.ron.http.server.dispatch.Inflight;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.kernel.supervise.Door;
import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.RawClient;
import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that goes down finishes what it began, and counts what it could not. */
final class DrainEventTest {
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
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      server.server.stopIntake();
      assertThat(busyToo.rest()).as("kept alive").isEmpty();
      assertThat(idle.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").answer())
          .as("one that was about to ask")
          .startsWith("HTTP/1.1 503 ");
      assertThat(server.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"))
          .startsWith("HTTP/1.1 503 ")
          .contains("Retry-After: ", "Connection: close", "\"code\":\"draining\"");
      assertThat(server.ask("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n"))
          .startsWith("HTTP/1.1 503 ");
      assertThat(server.ask("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")).endsWith("ok\n");
      assertThat(server.ask("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"))
          .contains("rejected_total{reason=\"draining\"} 3");
      release.countDown();
      assertThat(client.answer()).contains("Connection: close").endsWith("done");
      assertThat(client.rest()).isEmpty();
      int cut = server.server.close(Deadline.in(Duration.ofSeconds(60), server.scope.time()));
      assertThat(cut).isZero();
    }
  }

  @Test
  void whatOutlivesTheDeadlineIsCutAndCounted() throws Exception {
    var server = new TestServer(routes);
    try (var client = server.connect()) {
      client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      int cut = server.server.close(Deadline.in(Duration.ofMillis(100), server.scope.time()));
      assertThat(cut).isEqualTo(1);
      assertThat(client.answer()).startsWith("HTTP/1.1 503 ").contains("\"code\":\"draining\"");
      assertThat(client.rest()).isIn("", "<reset>");
    } finally {
      release.countDown();
    }
  }

  @Test
  @SeedRow({"E53", "G49"})
  void aTreeOpensAndDrainsItAndTheDoorSaysSoUntilTheEnd() throws Exception {
    var scope = fresh();
    var finishing = new CountDownLatch(1);
    var finish = new CountDownLatch(1);
    var door = new HttpServer(scope, TestServer.loopback(), routes);
    var tree =
        Supervisor.named("web")
            .child("journal", Restart.ALWAYS, () -> slowToFinish(finishing, finish))
            .door("http", door)
            .drainWithin(Duration.ofSeconds(60))
            .start(scope);
    int port = door.port();
    String readyz = "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n";
    try (var client = new RawClient(port);
        var held = new RawClient(port)) {
      assertThat(client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").answer()).endsWith("hello");
      held.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      var report = new CompletableFuture<DrainReport>();
      Thread.startVirtualThread(() -> drain(tree, report));
      assertThat(client.rest()).as("an idle connection is closed").isEmpty();
      assertThat(ask(port, readyz)).startsWith("HTTP/1.1 503 ").contains("draining");
      release.countDown();
      assertThat(held.answer()).endsWith("done");
      assertThat(finishing.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(ask(port, readyz)).as("while tasks end").startsWith("HTTP/1.1 503 ");
      finish.countDown();
      assertThat(report.get(60, TimeUnit.SECONDS)).isEqualTo(new DrainReport(1, 0, 1, 0, 0, 0));
    }
    assertThatThrownBy(() -> new RawClient(port)).isInstanceOf(ConnectException.class);
  }

  private static void drain(Tree tree, CompletableFuture<DrainReport> report) {
    try {
      report.complete(tree.drain());
    } catch (InterruptedException e) {
      report.completeExceptionally(e);
    }
  }

  private static String ask(int port, String request) throws Exception {
    try (var client = new RawClient(port)) {
      return client.send(request).answer();
    }
  }

  private static Task slowToFinish(CountDownLatch finishing, CountDownLatch finish) {
    return new Task() {
      @Override
      public Next run(Instant now) {
        return Next.at(Instant.MAX);
      }

      @Override
      public void finish(Instant now) throws InterruptedException {
        finishing.countDown();
        finish.await();
      }
    };
  }

  /** More than the sockets of both sides hold, where the reader's does not grow by itself. */
  private static final int LARGE = 32 << 20;

  /** A socket whose size was set keeps it; else the system may let it grow to tens of megabytes. */
  private static Socket stalled(int port) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(64 << 10);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return socket;
  }

  @Test
  @SuppressWarnings("BlockingOnEventLoop") // a small file, on a loop that serves this test alone
  void anAnswerThatIsNotOutYetIsARequestInFlight(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("large");
    Files.write(file, new byte[LARGE]);
    Inline large =
        exchange -> {
          try {
            var region = Body.Region.open(file, 0, LARGE);
            exchange.answer(new Answer(200, new dev.ron.http.Headers(), region));
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        };
    var server = new TestServer(Routes.of().get("/large", "large", large));
    try (var reader = new Socket(InetAddress.getLoopbackAddress(), server.port());
        var stalled = stalled(server.port())) {
      for (Socket each : List.of(reader, stalled)) {
        each.getOutputStream()
            .write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(each.getInputStream().read()).as("it has begun").isEqualTo('H');
      }
      var whole = new CompletableFuture<Integer>();
      server.server.stopIntake();
      Thread.startVirtualThread(
          () -> {
            try {
              whole.complete(reader.getInputStream().readAllBytes().length);
            } catch (IOException e) {
              whole.completeExceptionally(e);
            }
          });
      assertThat(whole.get(60, TimeUnit.SECONDS)).isGreaterThan(LARGE);
      int cut = server.server.close(Deadline.in(Duration.ofMillis(100), server.scope.time()));
      assertThat(cut).as("the one that does not read").isEqualTo(1);
    }
  }

  @Test
  void whatIsRefusedWhileDrainingKeepsNothingWaiting() throws Exception {
    var inflight = new Inflight(fresh().time());
    assertThat(inflight.entered()).isTrue();
    inflight.drain();
    assertThat(inflight.entered()).isFalse();
    inflight.left();
    assertThat(inflight.await(Deadline.NEVER)).isEqualTo(new Door.Requests(1, 0));
  }

  private static dev.ron.kernel.Scope fresh() {
    return dev.ron.kernel.Scope.of(
        "web", dev.ron.kernel.World.real(dev.ron.kernel.log.Log.silent()));
  }

  @Test
  void overHttp2TheStreamInFlightIsFinished() throws Exception {
    var server = new TestServer(routes);
    try (var client = client()) {
      var answer = new CompletableFuture<String>();
      Thread.startVirtualThread(() -> answer.complete(ask(client, server.port())));
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      server.server.stopIntake();
      try (var another = client()) {
        assertThat(ask(another, server.port())).startsWith("503 ").contains("draining");
      }
      release.countDown();
      assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo("200 done");
      int cut = server.server.close(Deadline.in(Duration.ofSeconds(60), server.scope.time()));
      assertThat(cut).isZero();
    }
  }

  @Test
  void overHttp2TheStreamThatOutlivesTheDeadlineIsCut() throws Exception {
    var server = new TestServer(routes);
    try (var client = client()) {
      var answer = new CompletableFuture<String>();
      Thread.startVirtualThread(() -> answer.complete(ask(client, server.port())));
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      int cut = server.server.close(Deadline.in(Duration.ofMillis(100), server.scope.time()));
      assertThat(cut).isEqualTo(1);
      assertThat(answer.get(60, TimeUnit.SECONDS)).startsWith("503 ").contains("draining");
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
      return answer.status() + " " + new String(answer.collect(1000), StandardCharsets.US_ASCII);
    } catch (IOException | InterruptedException e) {
      return e.getMessage();
    }
  }
}
