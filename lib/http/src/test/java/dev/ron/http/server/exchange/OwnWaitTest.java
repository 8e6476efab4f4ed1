package dev.ron.http.server.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.server.Blocking;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which waits of a handler keep its place at the door. */
@Timeout(60)
final class OwnWaitTest {
  private static final Duration SHORT = Duration.ofMillis(1);

  private static void await(Exchange exchange) throws InterruptedException {
    var time = exchange.server().time();
    var _ = new Gate(time).await(Deadline.in(SHORT, time));
  }

  private static Answer held(Exchange exchange) {
    return Answer.text(200, "held " + exchange.server().places().held());
  }

  private static String asked(Blocking handler) throws Exception {
    try (var server = new TestServer(Routes.of().get("/", "get", handler))) {
      return server.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    }
  }

  @Test
  void aRequestHasAPlace() throws Exception {
    assertThat(asked(OwnWaitTest::held)).endsWith("held 1");
  }

  @Test
  void aWaitForTheNodeKeepsIt() throws Exception {
    Blocking handler =
        exchange -> {
          try (OwnWait _ = OwnWait.beginIf(true)) {
            await(exchange);
          }
          return held(exchange);
        };
    assertThat(asked(handler)).endsWith("held 1");
  }

  @Test
  void anyOtherWaitEndsIt() throws Exception {
    Blocking handler =
        exchange -> {
          try (OwnWait _ = OwnWait.beginIf(true)) {
            await(exchange);
          }
          try (OwnWait _ = OwnWait.beginIf(false)) {
            await(exchange);
          }
          return held(exchange);
        };
    assertThat(asked(handler)).endsWith("held 0");
  }

  /** Its peer has given all it will give, and what is left is done in the order of tenants. */
  @Test
  void aRequestThatLostItTakesAnotherAndKeepsThat() throws Exception {
    Blocking handler =
        exchange -> {
          // Places are counted while tenants contend for them.
          exchange.server().places().take("other", _ -> {});
          await(exchange);
          int lost = exchange.server().places().held();
          try (OwnWait _ = OwnWait.resumeIf(true)) {
            await(exchange);
          }
          int taken = exchange.server().places().held();
          try (OwnWait _ = OwnWait.resumeIf(true)) {
            await(exchange);
          }
          int kept = exchange.server().places().held();
          return Answer.text(200, "%d, %d, %d".formatted(lost, taken, kept));
        };
    assertThat(asked(handler)).endsWith("1, 2, 2");
  }

  @Test
  void elsewhereItSaysNothing() {
    try (OwnWait wait = OwnWait.beginIf(true)) {
      assertThat(wait).isSameAs(OwnWait.beginIf(false));
    }
  }
}
