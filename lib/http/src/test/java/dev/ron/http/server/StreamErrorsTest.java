package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.RawFrames;
import dev.ron.http.testing.TestServer;
import java.util.HexFormat;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A peer that makes streams end early, by its own reset or by an error that makes the server reset
 * them, pays with its connection, and can never have more handlers at work than requests may be in
 * flight.
 */
final class StreamErrorsTest {
  /** More than a connection's allowance of errors. */
  private static final int STREAMS = 400;

  private static final int ENHANCE_YOUR_CALM = 11;

  /** What comes behind a request to end its stream: a frame's type, its flags, its payload. */
  enum Trigger {
    RESET(3, 0, "00000008"),
    WINDOW_UPDATE_OF_ZERO(8, 0, "00000000"),
    WINDOW_OVERFLOW(8, 0, "7fffffff"),
    DATA_AFTER_THE_END(0, 0, "01"),
    HEADERS_AFTER_THE_END(1, RawFrames.END_HEADERS, "82"),
    PRIORITY_OF_WRONG_LENGTH(2, 0, "00000000"),
    PRIORITY_ON_ITSELF(2, 0, "%08x01");

    private final int type;
    private final int flags;
    private final String payload;

    Trigger(int type, int flags, String payload) {
      this.type = type;
      this.flags = flags;
      this.payload = payload;
    }

    byte[] payload(int stream) {
      return HexFormat.of().parseHex(payload.formatted(stream));
    }
  }

  private static final class SlowRoute {
    final CountDownLatch release = new CountDownLatch(1);
    final AtomicInteger running = new AtomicInteger();
    final AtomicInteger most = new AtomicInteger();

    /** Goes on through every interrupt, as a handler does that computes or waits for a disk. */
    Answer handle(Exchange exchange) {
      most.accumulateAndGet(running.incrementAndGet(), Math::max);
      boolean waits = true;
      while (waits) {
        try {
          release.await();
          waits = false;
        } catch (InterruptedException _) {
          // its stream is gone
        }
      }
      running.decrementAndGet();
      return Answer.empty(204);
    }
  }

  private static TestServer server(SlowRoute slow, int inflightMax) throws Exception {
    Blocking handler = slow::handle;
    var limits = new Limits(10, 16 * 1024, 100, 1024, inflightMax, 0);
    return new TestServer(
        HttpServerConfig.on("127.0.0.1", 0).with(limits),
        Routes.of().get("/slow", "slow", handler));
  }

  private static void flood(RawFrames client, Trigger trigger) throws Exception {
    for (int i = 0; i < STREAMS; i++) {
      int stream = 2 * i + 1;
      client.frame(1, RawFrames.END_STREAM | RawFrames.END_HEADERS, stream, RawFrames.get("/slow"));
      client.frame(trigger.type, trigger.flags, stream, trigger.payload(stream));
    }
    client.flush();
  }

  @ParameterizedTest
  @EnumSource
  void streamErrorsEndTheConnection(Trigger trigger) throws Exception {
    var slow = new SlowRoute();
    try (var server = server(slow, 2 * STREAMS);
        var client = new RawFrames(server.port())) {
      flood(client, trigger);
      assertThat(client.goAwayCode()).as("the code of the GOAWAY").isEqualTo(ENHANCE_YOUR_CALM);
      slow.release.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void handlersAtWorkStayWithinTheRequestsInFlight(Trigger trigger) throws Exception {
    var slow = new SlowRoute();
    int inflightMax = 4;
    try (var server = server(slow, inflightMax)) {
      for (int connection = 0; connection < 3; connection++) {
        try (var client = new RawFrames(server.port())) {
          flood(client, trigger);
          client.untilSeen();
        }
      }
      assertThat(slow.most).as("handlers at work at once").hasValueBetween(1, inflightMax);
      slow.release.countDown();
    }
  }
}
