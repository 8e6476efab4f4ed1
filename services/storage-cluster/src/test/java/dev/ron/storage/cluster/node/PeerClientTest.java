package dev.ron.storage.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.retry.Backoff;
import dev.ron.kernel.retry.Retry;
import dev.ron.kernel.time.Deadline;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.cluster.core.ClusterMap;
import dev.ron.storage.cluster.core.Member;
import dev.ron.storage.cluster.core.Membership;
import dev.ron.storage.cluster.member.Members;
import dev.ron.storage.cluster.reference.ReferenceNode;
import dev.ron.testkit.SeedRow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Another node that is busy or silent for a while. */
@Timeout(60)
final class PeerClientTest {
  private static final Address ADDRESS = new Address(Blake3.hash(new byte[] {1}));

  private final Scope scope = Scope.of("storage", World.real(Log.silent()));
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger busy = new AtomicInteger();
  private HttpServer server;
  private HttpClient http;
  private PeerNode node;

  @BeforeEach
  void open() throws Exception {
    serve(0);
    http = new HttpClient(scope, HttpClientConfig.standard().with(AddressPolicy.ANY));
    var retry =
        Retry.idempotent(
            scope,
            "peer",
            3,
            new Backoff.Scaled(Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(4)));
    var wire = new HttpWire(http, "http://127.0.0.1:" + server.port(), () -> "");
    var calls = new PeerClient(wire, scope.time(), retry);
    node = new PeerNode("b", calls, scope.time(), StorageMetrics.in(scope));
  }

  private void serve(int port) throws Exception {
    Routes routes =
        Routes.of()
            .add(answering("/peer/stat/{address}", "{\"size\":5,\"coded\":false}"))
            .add(answering("/peer/status", "{\"node\":\"b\",\"takes_writes\":true}"));
    server =
        new HttpServer(
            Scope.of("server", World.real(Log.silent())),
            HttpServerConfig.on("127.0.0.1", port).with(Limits.OPEN),
            routes);
    server.open();
  }

  @AfterEach
  void close() throws Exception {
    http.close();
    server.close(Deadline.in(Duration.ofSeconds(1), scope.time()));
  }

  private Route answering(String path, String json) {
    Blocking handler =
        _ -> {
          asked.incrementAndGet();
          boolean refuses = busy.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
          return Answer.json(refuses ? 503 : 200, refuses ? "{}" : json);
        };
    return Route.of("GET", path, path.replaceAll("\\W", ""), handler);
  }

  private double retries() {
    return scope.counters().backoffRetries().labelValues("peer").get();
  }

  @Test
  @SeedRow("S36")
  void aQuestionIsAskedThreeTimesAndEachRestIsCounted() throws Exception {
    busy.set(2);
    assertThat(node.stat(ADDRESS)).isPresent();
    assertThat(asked).hasValue(3);
    assertThat(retries()).isEqualTo(2);
    busy.set(9);
    assertThatThrownBy(() -> node.stat(ADDRESS)).hasMessageContaining("503");
    assertThat(asked).hasValue(6);
    assertThat(retries()).isEqualTo(4);
  }

  @Test
  @SeedRow("S38")
  void aNodeThatStaysSilentIsNotAskedByTheNextRequest() throws Exception {
    node.greet();
    assertThat(node.here()).isTrue();
    server.close(Deadline.in(Duration.ofSeconds(1), scope.time()));
    assertThatThrownBy(() -> node.stat(ADDRESS)).isInstanceOf(java.io.IOException.class);
    assertThat(retries()).isEqualTo(2);
    assertThat(node.here()).as("not asked by the next request").isFalse();
  }

  /** It may have what the others, who were asked, have not: that is no 404. */
  @Test
  void aNodeThatIsBackWhenAllHaveAnsweredWasNotAsked() throws Exception {
    int port = server.port();
    server.close(Deadline.in(Duration.ofSeconds(1), scope.time()));
    assertThatThrownBy(() -> node.stat(ADDRESS)).isInstanceOf(java.io.IOException.class);
    var view = new ClusterMap(List.of(new Member("b", "r", 1)), Set.of(), 1);
    var roster =
        new Members.Roster(new Membership(Map.of()), view, List.of(node), Map.of("b", node));
    List<ClusterNode> asked = roster.others();
    assertThat(asked).isEmpty();
    serve(port);
    node.greet();
    assertThat(node.here()).isTrue();
    assertThat(roster.unasked(asked)).containsExactly("b");
    assertThat(roster.unasked(roster.others())).isEmpty();
  }

  /** That nothing is recorded there would be a part in deciding whose an object is. */
  @Test
  void aNodeThatKnowsNoReferencesHasNotSaidThatThereAreNone() {
    ReferenceNode references = node.references();
    assertThatThrownBy(() -> references.read(List.of(ADDRESS))).hasMessageContaining("404");
    assertThatThrownBy(() -> references.named("acme", null, 1)).hasMessageContaining("404");
    assertThatThrownBy(() -> references.changes("", 0)).hasMessageContaining("404");
  }
}
