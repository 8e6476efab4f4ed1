package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.AnswerStream;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.testkit.SeedRow;
import io.netty.buffer.Unpooled;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A peer that ended its side may listen still, or be gone; either is found out before the answer.
 */
class HalfClosedPeerTest {
  @TempDir Path folder;

  /** Keeps each exchange until the test answers it. */
  private static final class Held {
    private final CountDownLatch came = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicReference<Exchange> exchange = new AtomicReference<>();

    void take(Exchange taken) {
      taken.whenOver(over::countDown);
      exchange.set(taken);
      came.countDown();
    }

    Exchange await() throws InterruptedException {
      assertThat(came.await(10, TimeUnit.SECONDS)).isTrue();
      return exchange.get();
    }
  }

  private static TestServer serving(Held held) throws Exception {
    Duration patience = Duration.ofMinutes(2);
    return new TestServer(
        TestServer.loopback().with(new Timeouts(patience, patience, patience, patience)),
        Routes.of().get("/", "held", (Inline) held::take));
  }

  @ParameterizedTest
  @ValueSource(strings = {"whole", "streamed", "file"})
  @SeedRow("G52")
  void oneOfHttp10ThatListensGetsTheWholeAnswer(String how) throws Exception {
    var held = new Held();
    Path file = Files.writeString(folder.resolve("file"), "done");
    try (FileChannel open = FileChannel.open(file);
        var server = serving(held);
        var client = server.connect()) {
      client.send("GET / HTTP/1.0\r\nHost: a\r\n\r\n").finishSending();
      InputStream in = client.socket().getInputStream();
      assertThat((char) in.read()).as("before there is an answer").isEqualTo('H');
      Exchange exchange = held.await();
      exchange.loop().execute(() -> answer(exchange, how, open));
      String answer = "H" + new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      assertThat(answer).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\ndone");
    }
  }

  private static void answer(Exchange exchange, String how, FileChannel file) {
    switch (how) {
      case "whole" -> exchange.answer(Answer.text(200, "done"));
      case "file" ->
          exchange.answer(
              Answer.file(200, new Headers(), new Body.Region(file, 0, "done".length(), () -> {})));
      default -> {
        AnswerStream out = exchange.begin(200, new Headers(), -1);
        out.write(Unpooled.copiedBuffer("done", StandardCharsets.US_ASCII));
        out.end(new Headers(1));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.0", "HTTP/1.1"})
  void oneThatIsGoneEndsItsExchange(String version) throws Exception {
    var held = new Held();
    try (var server = serving(held)) {
      try (var client = server.connect()) {
        client.send("GET / " + version + "\r\nHost: a\r\n\r\n");
        held.await();
      }
      assertThat(held.over.await(10, TimeUnit.SECONDS)).as("long before its deadline").isTrue();
    }
  }
}
