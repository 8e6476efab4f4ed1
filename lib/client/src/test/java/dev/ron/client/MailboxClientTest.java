package dev.ron.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.SeedRow;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The client beside a server that answers as the mailbox does and writes down what it was asked.
 */
@Timeout(30)
final class MailboxClientTest {
  private static final String ENVELOPE =
      """
      {"messages":[{"msg_id":"ID","topic":"t","ts":1,"idem_key":"k","payload_b64":"aGk=",\
      "payload_hash":"85052e9aab1b67b6622d94a08441b09fd5b7aca61ee360416d70de5da67d86ca","attrs":{"a":"b"},"corr_id":"c","shard":3,"attempt":1,\
      "receipt":"0011223344556677","hash_chain":"ef243be0a45a88a21cfe5144ba51cd9167d1e8b67b6f1628519890aa241cab9e"}]}\
      """;

  private final Scope scope = Scope.of("test", World.real(Log.silent()));
  private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
  private final CountDownLatch extendedTwice = new CountDownLatch(2);
  private final AtomicInteger busy = new AtomicInteger();
  private volatile String envelope = ENVELOPE;
  private HttpServer server;
  private MailboxClient client;

  @BeforeEach
  void open() throws Exception {
    var config = HttpServerConfig.on("127.0.0.1", 0).with(Limits.OPEN);
    Routes routes =
        Routes.of()
            .add(answering("/v1/send", "{\"msg_id\":\"ID\",\"duplicate\":false}"))
            .add(answering("/v1/recv", ENVELOPE))
            .add(answering("/v1/ack/{id}", "{\"ok\":true}"))
            .add(answering("/v1/nack/{id}", "{\"ok\":true}"))
            .add(answering("/v1/extend/{id}", "{\"ok\":true}"));
    server = new HttpServer(Scope.of("server", World.real(Log.silent())), config, routes);
    server.open();
    client = new MailboxClient(scope, URI.create("http://127.0.0.1:" + server.port()), "the-token");
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    server.close(Deadline.in(Duration.ofSeconds(1), scope.time()));
  }

  private Route answering(String path, String json) {
    Blocking handler =
        exchange -> {
          String body = new String(exchange.body().collect(10_000), UTF_8);
          asked.add(exchange.path() + " " + body);
          assertThat(exchange.headers().first("Authorization")).isEqualTo("Bearer the-token");
          if (path.startsWith("/v1/extend")) {
            extendedTwice.countDown();
          }
          if (busy.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw Refusal.of(new KernelFault.Busy("inbox", 1, Duration.ofMillis(1)));
          }
          return Answer.json(200, path.equals("/v1/recv") ? envelope : json);
        };
    return Route.of("POST", path, path.substring(4).replaceAll("\\W", ""), handler);
  }

  @Test
  void aMessageIsSentAndReceived() throws Exception {
    assertThat(client.send("t", "a key", new byte[] {1}))
        .isEqualTo(new MailboxClient.Sent("ID", false));
    List<Delivery> got = client.receive("t", 5, Duration.ofSeconds(30), Duration.ZERO);
    assertThat(got).hasSize(1);
    assertThat(got.getFirst().payload()).isEqualTo("hi".getBytes(UTF_8));
    assertThat(asked)
        .contains(
            "/v1/recv {\"topic\":\"t\",\"visibility_ms\":30000,\"max_messages\":5,\"wait_ms\":0}");
  }

  @Test
  @SeedRow({"M43", "M74"})
  void aSendIsRepeatedAndAnythingElseIsNot() throws Exception {
    busy.set(2);
    assertThat(client.send("t", "k", new byte[] {1}).msgId()).isEqualTo("ID");
    assertThat(asked).hasSize(3);
    assertThat(scope.counters().backoffRetries().labelValues("mailbox-send").get()).isEqualTo(2);
    busy.set(1);
    assertThatThrownBy(() -> client.receive("t", 1, Duration.ofSeconds(30), Duration.ZERO))
        .isInstanceOf(ServiceRefusal.class);
  }

  @Test
  @SeedRow("M59")
  void aMessageThatIsNotWhatItsHashesSayIsNotHandedOn() throws Exception {
    var changes =
        Map.of("aGk=", "aGo=", ":\"t\"", ":\"u\"", "\"ts\":1", "\"ts\":2", ":\"b\"", ":\"c\"");
    for (Map.Entry<String, String> change : changes.entrySet()) {
      envelope = ENVELOPE.replace(change.getKey(), change.getValue());
      assertThatThrownBy(() -> client.receive("t", 1, Duration.ofSeconds(30), Duration.ZERO))
          .hasMessage("message ID is not what its hashes say");
    }
  }

  @Test
  void theLeaseIsExtendedWhileTheWorkGoesOnAndThenAcknowledged() throws Exception {
    boolean some =
        client.handle(
            "t",
            Duration.ofMillis(300),
            Duration.ZERO,
            _ -> assertThat(extendedTwice.await(20, TimeUnit.SECONDS)).isTrue());
    assertThat(some).isTrue();
    assertThat(asked)
        .contains("/v1/extend/ID {\"receipt\":\"0011223344556677\",\"visibility_ms\":300}")
        .contains("/v1/ack/ID {\"receipt\":\"0011223344556677\"}");
  }

  @Test
  void workThatFailsGivesTheMessageBack() {
    assertThatThrownBy(
            () ->
                client.handle(
                    "t",
                    Duration.ofSeconds(30),
                    Duration.ZERO,
                    _ -> {
                      throw new IllegalStateException("broken");
                    }))
        .hasMessage("broken");
    assertThat(asked)
        .contains(
            "/v1/nack/ID {\"receipt\":\"0011223344556677\",\"reason\":\"IllegalStateException\"}")
        .noneMatch(each -> each.startsWith("/v1/ack"));
  }
}
