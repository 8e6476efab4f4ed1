package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.AnswerStream;
import dev.ron.http.server.exchange.BodyReader;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.testkit.SeedRow;
import io.netty.util.internal.PlatformDependent;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Large bodies pass through in steps: what the other side does not take is not read or made. */
final class StreamingTest {
  private static final int STEP = 64 * 1024;
  private static final long LARGE = 64L * 1024 * 1024;

  /** Socket buffers of both ends, what is ahead in the sink, and the allocator's chunks. */
  private static final long AHEAD_MAX = 24L * 1024 * 1024;

  private static final AtomicLong READ = new AtomicLong();
  private static final AtomicLong WRITTEN = new AtomicLong();
  private static volatile CountDownLatch mayRead = new CountDownLatch(0);
  private static TestServer server;

  @BeforeAll
  static void open() throws Exception {
    Blocking upload =
        x -> {
          var step = new byte[STEP];
          try (InputStream in = x.body().stream()) {
            in.readNBytes(step, 0, 1);
            mayRead.await();
            long all = 1;
            int read = in.read(step);
            while (read >= 0) {
              all += read;
              READ.set(all);
              read = in.read(step);
            }
            return Answer.text(200, "" + all);
          }
        };
    Blocking download =
        _ ->
            Answer.stream(
                200,
                new Headers(),
                LARGE,
                sink -> {
                  var step = new byte[STEP];
                  for (long at = 0; at < LARGE; at += STEP) {
                    sink.write(step);
                    WRITTEN.set(at + STEP);
                  }
                  return new Headers();
                });
    Inline proxied =
        x -> {
          AnswerStream out = x.begin(200, new Headers(), -1);
          x.body().read(new Pump(x, out));
        };
    var all = new Limits(100, 16 * 1024, 100, LARGE * 2, 512, 0);
    server =
        new TestServer(
            HttpServerConfig.on("127.0.0.1", 0).with(all),
            Routes.of()
                .post("/up", "up", upload)
                .get("/down", "down", download)
                .post("/echo", "echo", proxied));
  }

  /** What a proxy does: asks for the next piece only when the last one can leave. */
  private record Pump(Exchange x, AnswerStream out) implements BodyReader {
    @Override
    public void piece(io.netty.buffer.ByteBuf bytes) {
      out.write(bytes);
      if (out.writable()) {
        x.body().more();
      } else {
        out.onWritable(x.body()::more);
      }
    }

    @Override
    public void end(Headers trailers) {
      out.end(trailers);
    }

    @Override
    public void failed(dev.ron.http.Refusal refusal) {
      out.cut();
    }
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @Test
  @SeedRow("G50")
  void anUploadWaitsForItsReader() throws Exception {
    mayRead = new CountDownLatch(1);
    READ.set(0);
    try (var client = server.connect()) {
      client.send("POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: " + LARGE + "\r\n\r\n");
      var sent = new AtomicLong();
      Thread sender = Thread.startVirtualThread(() -> flood(client.socket(), sent));
      long stuck = awaitStandstill(sent);
      assertThat(stuck).as("bytes the system took while nobody read").isLessThan(AHEAD_MAX);
      long direct = PlatformDependent.usedDirectMemory();
      mayRead.countDown();
      assertThat(client.answer()).contains(" 200 ").endsWith("" + LARGE);
      assertThat(PlatformDependent.usedDirectMemory() - direct).isLessThan(AHEAD_MAX);
      sender.join();
    }
  }

  @Test
  @SeedRow("E55")
  void aDownloadWaitsForItsReader() throws Exception {
    WRITTEN.set(0);
    try (var client = server.connect()) {
      client.send("GET /down HTTP/1.1\r\nHost: a\r\n\r\n");
      long stuck = awaitStandstill(WRITTEN);
      assertThat(stuck).as("bytes made while nobody read").isLessThan(AHEAD_MAX);
      assertThat(client.head()).contains("Content-Length: " + LARGE);
      InputStream in = client.socket().getInputStream();
      in.skipNBytes(LARGE);
      assertThat(client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").answer())
          .contains(" 200 ");
    }
  }

  @Test
  void anInlineHandlerPassesABodyThroughWithBackpressure() throws Exception {
    try (var client = server.connect()) {
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: " + LARGE + "\r\n\r\n");
      var sent = new AtomicLong();
      Thread sender = Thread.startVirtualThread(() -> flood(client.socket(), sent));
      assertThat(awaitStandstill(sent)).as("passed on unread").isLessThan(AHEAD_MAX);
      client.head();
      InputStream in = client.socket().getInputStream();
      long body = 0;
      while (body < LARGE) {
        int size = Integer.parseInt(line(in), 16);
        in.skipNBytes(size + 2);
        body += size;
      }
      assertThat(line(in)).isEqualTo("0");
      sender.join();
    }
  }

  private static String line(InputStream in) throws java.io.IOException {
    var line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      line.append((char) b);
    }
    return line.toString().strip();
  }

  private static void flood(java.net.Socket socket, AtomicLong sent) {
    var step = new byte[STEP];
    java.util.Arrays.fill(step, "x".getBytes(StandardCharsets.US_ASCII)[0]);
    try {
      OutputStream out = socket.getOutputStream();
      for (long at = 0; at < LARGE; at += STEP) {
        out.write(step);
        sent.set(at + STEP);
      }
    } catch (java.io.IOException closed) {
      sent.set(-1);
    }
  }

  /** Waits until a count has been the same for a while, that is until backpressure holds. */
  private static long awaitStandstill(AtomicLong count) throws InterruptedException {
    long last = -1;
    var never = new CountDownLatch(1);
    while (count.get() == 0 || count.get() != last) {
      last = count.get();
      var _ = never.await(250, TimeUnit.MILLISECONDS);
    }
    return last;
  }
}
