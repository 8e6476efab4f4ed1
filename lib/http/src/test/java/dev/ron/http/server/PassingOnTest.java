package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.RawClient;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What an inline handler needs that answers later, with an upstream's answer. */
final class PassingOnTest {
  private static final long WAIT_SECONDS = 10;

  private final BlockingQueue<String> over = new LinkedBlockingQueue<>();

  @Test
  void theEndIsToldOnceWhenTheAnswerIsOut() throws Exception {
    Inline now =
        x -> {
          x.whenOver(() -> over.add("over"));
          x.answer(Answer.text(200, "a"));
          x.whenOver(() -> over.add("at once"));
        };
    try (var server = new TestServer(Routes.of().get("/", "now", now))) {
      server.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    assertThat(over).containsExactly("over", "at once");
  }

  @Test
  void theEndIsToldWhenThePeerVanishesInTheMiddleOfItsBody() throws Exception {
    Inline never = x -> x.whenOver(() -> over.add("over"));
    try (var server = new TestServer(Routes.of().post("/", "never", never))) {
      RawClient client = server.connect();
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
      client.socket().setSoLinger(true, 0); // a reset, as from a machine that went away
      client.close();
      assertThat(over.poll(WAIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("over");
    }
    assertThat(over).isEmpty();
  }

  @Test
  void anotherDeadlineThanTheServersHolds() throws Exception {
    try (var server = new TestServer(Routes.of().get("/", "hang", (Inline) this::hang))) {
      assertThat(server.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")).contains(" 504 ");
      assertThat(over.poll(WAIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("over");
    }
  }

  private void hang(Exchange exchange) {
    exchange.whenOver(() -> over.add("over"));
    exchange.until(Deadline.in(Duration.ofMillis(1), exchange.server().time()));
  }

  @Test
  void anotherServersAnswerKeepsItsOwnWordsToBrowsers() throws Exception {
    Inline passed =
        x -> {
          x.passOn();
          x.begin(200, Headers.of("Date", "Thu, 01 Jan 1970 00:00:00 GMT"), 0).end(new Headers(1));
        };
    Inline own = x -> x.answer(Answer.empty(200));
    var routes = Routes.of().get("/passed", "passed", passed).get("/own", "own", own);
    try (var server = new TestServer(routes)) {
      assertThat(server.ask("GET /passed HTTP/1.1\r\nHost: a\r\n\r\n"))
          .containsOnlyOnce("Date: ")
          .contains("Date: Thu, 01 Jan 1970")
          .contains("X-Corr-ID: ")
          .doesNotContain("Content-Security-Policy");
      assertThat(server.ask("GET /own HTTP/1.1\r\nHost: a\r\n\r\n"))
          .containsOnlyOnce("Date: ")
          .contains("Content-Security-Policy");
    }
  }
}
