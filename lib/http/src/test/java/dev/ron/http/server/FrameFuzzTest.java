package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.BugDetectors;
import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.RawFrames;
import dev.ron.http.testing.TestServer;
import dev.ron.kernel.log.LogLine;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Whatever frames arrive, the connection goes on or ends: what breaks is named as the peer's error,
 * no buffer is lost, and the server answers the next one.
 *
 * <p>An input is a row of frames, each a type, flags, a stream, a length and so many bytes. Netty
 * reads them; what stands above it is ours.
 *
 * <p>Every build replays the corpus in {@code src/test/resources/dev/ron/http/server/
 * FrameFuzzTestInputs/<method>}.
 */
final class FrameFuzzTest {
  private static final int BODY_BYTES_MAX = 1024;
  private static final Duration STALL = Duration.ofMillis(500);

  private static TestServer server;

  @BeforeAll
  static void opens() throws Exception {
    Blocking echo =
        exchange -> {
          byte[] body = exchange.body().collect(BODY_BYTES_MAX);
          return Answer.bytes(200, "application/octet-stream", body);
        };
    Inline hello = exchange -> exchange.answer(Answer.text(200, "hello"));
    server =
        new TestServer(
            TestServer.loopback()
                .with(Limits.OPEN)
                .with(Timeouts.of(STALL, STALL, Duration.ofSeconds(20))),
            Routes.of(
                Route.of("POST", "/echo", "echo", echo), Route.of("GET", "/", "hello", hello)));
  }

  /**
   * A peer that is gone in the middle of a body is waited for, as one that has only stopped
   * sending. What is cut at the end of the server's own time is not what this looks for.
   */
  @AfterAll
  static void closes() {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (server.metric("http_connections") > 0) {
      assertThat(System.nanoTime()).as("connections stay").isLessThan(limit);
      LockSupport.parkNanos(1_000_000);
    }
    server.close();
  }

  @FuzzTest(maxDuration = "2m")
  void frames(FuzzedDataProvider data) throws Exception {
    server.lines.clear();
    var in = ByteBuffer.wrap(data.consumeRemainingAsBytes());
    try (var _ = BugDetectors.allowNetworkConnections((_, port) -> port == server.port())) {
      play(in);
    }
    assertThat(server.lines).noneMatch(FrameFuzzTest::isBug);
  }

  private static void play(ByteBuffer in) throws Exception {
    try (var peer = new RawFrames(server.port())) {
      while (in.remaining() >= 4) {
        int type = in.get() & 0xff;
        int flags = in.get() & 0xff;
        int stream = in.get() & 0xff;
        byte[] payload = new byte[Math.min(in.get() & 0xff, in.remaining())];
        in.get(payload);
        peer.frame(type, flags, stream, payload);
      }
      peer.untilSeen();
    }
    assertThat(server.ask("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 200")
        .endsWith("hello");
  }

  /** Neither an error of the protocol nor a peer that is gone. */
  private static boolean isBug(LogLine line) {
    return line.level() == LogLine.Level.ERROR
        || (line.event().equals("connection-failed")
            && !line.fields()
                .getOrDefault("cause", "")
                .matches(".*(Http2|IOExc|IoExc|SocketExc).*"));
  }
}
