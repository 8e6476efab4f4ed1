package dev.ron.node.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketPath;
import dev.ron.http.Headers;
import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.kernel.Scope;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.SystemTime;
import dev.ron.node.FilledNode;
import dev.ron.node.RunningNode;
import dev.ron.node.cli.CommandClient;
import dev.ron.node.trace.SpanReceiver.Told;
import dev.ron.testkit.FreePorts;
import dev.ron.testkit.RecordingOrigin;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a collector hears of a node's requests, and what they notice of a collector in trouble. */
@Timeout(120)
final class NodeTracesTest {
  private static final String SECRET = "fifteen-men-on-a-dead-mans-chest";
  private static final long SLACK_NANOS = Duration.ofMillis(20).toNanos();
  private static final long LATE_NANOS = Duration.ofSeconds(5).toNanos();
  private static final int PORTS = 12;

  @TempDir private Path folder;
  private SpanReceiver receiver;
  private HttpClient http;
  private int sent;

  @BeforeEach
  void open() throws Exception {
    receiver = new SpanReceiver();
    Scope scope = CommandClient.scope();
    http = new HttpClient(scope, HttpClientConfig.standard().with(AddressPolicy.ANY));
  }

  @AfterEach
  void close() {
    http.close();
    receiver.close();
  }

  private RunningNode node(String services, String... more) throws Exception {
    var settings =
        new HashMap<>(
            Map.of(
                "node.services", services,
                "node.base_port", Integer.toString(FreePorts.row(PORTS)),
                "traces.endpoint", receiver.url()));
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return RunningNode.start(folder.resolve("data"), settings);
  }

  private record Reply(int status, String body, Headers headers) {
    /** The trace of the door's own span. */
    String trace() {
      return headers.first("traceparent").substring(3, 35);
    }
  }

  private Reply ask(RunningNode node, String method, String url, String body, String... fields)
      throws Exception {
    Headers headers = Headers.of(fields);
    headers.add("Authorization", "Bearer " + node.keys().adminToken());
    var request = ClientRequest.of(method, URI.create(url), headers, body.getBytes(UTF_8));
    Deadline limit = Deadline.in(Duration.ofSeconds(30), new SystemTime());
    try (ClientAnswer answer = http.send(request, limit)) {
      return new Reply(
          answer.status(), new String(answer.collect(1 << 20), UTF_8), answer.headers());
    }
  }

  private String message(String payload) {
    return "{\"topic\":\"orders\",\"idem_key\":\"%d\",\"payload_b64\":\"%s\"}"
        .formatted(++sent, java.util.Base64.getEncoder().encodeToString(payload.getBytes(UTF_8)));
  }

  /** Each span under its parent, by service and name; children in the order of their names. */
  private static String tree(List<Told> spans, String parent, String indent) {
    return spans.stream()
        .filter(span -> span.parent().equals(parent))
        .sorted(java.util.Comparator.comparing(Told::name))
        .map(
            span ->
                "%s%s: %s\n%s"
                    .formatted(
                        indent, span.service(), span.name(), tree(spans, span.id(), indent + "  ")))
        .collect(Collectors.joining());
  }

  /** An answer may be read before its server has noted that it is out. */
  private static void assertSaneTimes(List<Told> spans) {
    Map<String, Told> byId =
        spans.stream().collect(Collectors.toMap(Told::id, Function.identity()));
    for (Told span : spans) {
      assertThat(span.ended()).as(span.toString()).isGreaterThanOrEqualTo(span.begun());
      Told parent = byId.get(span.parent());
      if (parent != null) {
        boolean inside = span.service().equals(parent.service());
        assertThat(span.begun())
            .as(span + " in " + parent)
            .isGreaterThanOrEqualTo(parent.begun() - (inside ? 0 : SLACK_NANOS));
        assertThat(span.ended())
            .as(span + " in " + parent)
            .isLessThanOrEqualTo(parent.ended() + (inside ? 0 : LATE_NANOS));
      }
      long age = Instant.now().getEpochSecond() - span.begun() / 1_000_000_000;
      assertThat(age).isBetween(-5L, 300L);
    }
  }

  @Test
  void aRequestThroughTheGatewayIsOneTreeOfSpans() throws Exception {
    try (RunningNode node = node("gateway,storage,mailbox", "traces.header", "X-Key: " + SECRET)) {
      Reply put = ask(node, "POST", node.url("gateway") + "/o", "an object " + SECRET);
      assertThat(put.status()).as(put.body()).isEqualTo(201);
      List<Told> stored = receiver.await(put.trace(), spans -> spans.size() == 6);
      assertThat(tree(stored, "", ""))
          .isEqualTo(
              """
              gateway: POST /{path...}
                gateway: call POST
                  storage: POST /o
                    storage: storage queue
                    storage: store commit
                    storage: store queue
              """);
      assertSaneTimes(stored);

      String caller = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
      Reply sent =
          ask(
              node,
              "POST",
              node.url("gateway") + "/v1/send",
              message(SECRET),
              "traceparent",
              caller,
              "Content-Type",
              "application/json");
      assertThat(sent.status()).as(sent.body()).isEqualTo(200);
      assertThat(sent.trace()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
      List<Told> kept = receiver.await(sent.trace(), spans -> spans.size() == 5);
      assertThat(tree(kept, "b7ad6b7169203331", ""))
          .isEqualTo(
              """
              gateway: POST /{path...}
                gateway: call POST
                  mailbox: POST /v1/send
                    mailbox: shard commit
                    mailbox: shard queue
              """);
      assertSaneTimes(kept);
      assertThat(kept)
          .filteredOn(span -> span.name().equals("POST /v1/send"))
          .allSatisfy(
              span ->
                  assertThat(span.values())
                      .containsEntry("http.response.status_code", 200L)
                      .containsEntry("ron.op", "send")
                      .containsKeys("ron.corr_id", "ron.tenant"));
      assertThat(receiver.fields()).contains("X-key: [" + SECRET + "]");
      String token = node.keys().adminToken();
      assertThat(receiver.bodies())
          .noneMatch(body -> body.contains(SECRET) || body.contains(token));
    }
    assertThat(receiver.breaches()).isEmpty();
  }

  @Test
  void everyDoorTellsOfItsRequests() throws Exception {
    try (RunningNode node = node("storage,mailbox")) {
      try (BucketClient bucket = FilledNode.bucket(node, node.keys().adminToken())) {
        bucket.createBucket("photos");
        bucket.put(new BucketPath("photos", SECRET), new byte[200_000]);
      }
      java.net.http.HttpClient plain = java.net.http.HttpClient.newHttpClient();
      FilledNode.queue(node, node.keys().adminToken(), plain, "hello");
      String h2 = node.url("mailbox").replace("http:", "h2c:");
      Reply topics = ask(node, "GET", h2 + "/v1/topics", "");
      Reply grpc =
          ask(
              node,
              "POST",
              h2 + "/ron.mailbox.v1.Mailbox/Topics",
              "\0\0\0\0\0",
              "Content-Type",
              "application/grpc",
              "TE",
              "trailers");
      List<Told> http2 = receiver.await(topics.trace(), spans -> !spans.isEmpty());
      assertThat(http2.getLast().values()).containsEntry("network.protocol.version", "2");
      List<Told> calls = receiver.await(grpc.trace(), spans -> !spans.isEmpty());
      assertThat(calls.getLast().values().get("ron.op").toString()).startsWith("grpc-");
      Told s3 = one("ron.s3.operation", "PutObject");
      List<Told> object =
          receiver.await(
              s3.trace(), spans -> spans.stream().anyMatch(s -> s.name().equals("names commit")));
      assertThat(object).extracting(Told::name).contains("store commit", "names queue");
      Told sqs = one("ron.sqs.action", "SendMessage");
      assertThat(receiver.await(sqs.trace(), spans -> spans.size() >= 3))
          .extracting(Told::name)
          .contains("shard queue", "shard commit");
      assertThat(receiver.bodies()).noneMatch(body -> body.contains(SECRET));
    }
    assertThat(receiver.breaches()).isEmpty();
  }

  @Test
  void anUpstreamOfTheEdgeIsPartOfTheTrace() throws Exception {
    try (var upstream = new RecordingOrigin()) {
      Path config = folder.resolve("ron.toml");
      Files.writeString(
          config,
          """
          [edge]
          mode = "live"
          [[edge.mounts]]
          prefix = "/assets/fonts"
          upstream = "%s"
          allow_http = true
          allow_private = true
          """
              .formatted(upstream.url()));
      var settings = Map.of("node.services", "edge", "traces.endpoint", receiver.url());
      try (RunningNode node = RunningNode.start(folder.resolve("data"), settings, config)) {
        Reply font = ask(node, "GET", node.url("edge") + "/edge/assets/fonts/p7", "");
        assertThat(font.status()).isEqualTo(200);
        List<Told> spans = receiver.await(font.trace(), all -> all.size() == 2);
        Told call = spans.stream().filter(span -> span.kind() == 3).findFirst().orElseThrow();
        assertThat(upstream.requests().getLast().values("traceparent"))
            .containsExactly("00-%s-%s-01".formatted(font.trace(), call.id()));

        String unsampled = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
        ask(node, "GET", node.url("edge") + "/edge/assets/fonts/p8", "", "traceparent", unsampled);
        assertThat(upstream.requests().getLast().values("traceparent")).containsExactly(unsampled);
      }
    }
    assertThat(receiver.spans())
        .extracting(Told::trace)
        .doesNotContain("0af7651916cd43dd8448eb211c80319c");
    assertThat(receiver.breaches()).isEmpty();
  }

  private Told one(String key, String value) throws Exception {
    FilledNode.await(
        () -> receiver.spans().stream().anyMatch(s -> value.equals(s.values().get(key))));
    return receiver.spans().stream()
        .filter(span -> value.equals(span.values().get(key)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aCollectorThatHangsCostsNoRequestAnything() throws Exception {
    receiver.mood(SpanReceiver.Mood.HANGS);
    RunningNode node = node("mailbox", "traces.queue_spans_max", "64");
    try {
      for (int i = 0; i < 100; i++) {
        assertThat(send(node)).isEqualTo(200);
      }
      awaitMetric(node, "spans_dropped_total{service=\"node\",reason=\"queue\"}", 100);
    } finally {
      Instant begun = new SystemTime().now();
      node.close();
      assertThat(Duration.between(begun, new SystemTime().now()))
          .isLessThan(Duration.ofSeconds(20));
    }
  }

  @Test
  void aCollectorThatIsBusyOrRefusesIsCountedAndAskedAgain() throws Exception {
    receiver.mood(SpanReceiver.Mood.SAYS_LATER);
    try (RunningNode node = node("mailbox")) {
      assertThat(send(node)).isEqualTo(200);
      awaitMetric(node, "span_exports_total{service=\"node\",result=\"failed\"}", 1);
      assertThat(receiver.spans()).isEmpty();
      receiver.mood(SpanReceiver.Mood.TAKES);
      awaitMetric(node, "spans_exported_total{service=\"node\"}", 3);
      assertThat(receiver.spans()).hasSize(3);
      receiver.mood(SpanReceiver.Mood.TAKES_HALF);
      assertThat(send(node)).isEqualTo(200);
      awaitMetric(node, "spans_dropped_total{service=\"node\",reason=\"refused\"}", 1);
      receiver.mood(SpanReceiver.Mood.REFUSES);
      assertThat(send(node)).isEqualTo(200);
      awaitMetric(node, "span_exports_total{service=\"node\",result=\"refused\"}", 1);
      awaitMetric(node, "spans_dropped_total{service=\"node\",reason=\"refused\"}", 4);
    }
    assertThat(receiver.breaches()).isEmpty();
  }

  @Test
  void aCollectorThatIsNotThereIsCountedAndTheLastSpansAreSentAtTheEnd() throws Exception {
    String nowhere = "http://127.0.0.1:" + FreePorts.one();
    try (RunningNode node = node("mailbox", "traces.endpoint", nowhere)) {
      assertThat(send(node)).isEqualTo(200);
      awaitMetric(node, "span_exports_total{service=\"node\",result=\"failed\"}", 1);
    }
    try (RunningNode node = node("mailbox")) {
      assertThat(send(node)).isEqualTo(200);
    }
    assertThat(receiver.spans()).extracting(Told::name).contains("POST /v1/send", "shard commit");
  }

  @Test
  void withoutACollectorNothingIsMadeAndATraceIsPassedOnAsItCame() throws Exception {
    try (RunningNode node = node("mailbox", "traces.endpoint", "")) {
      String caller = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
      Reply topics =
          ask(node, "GET", node.url("mailbox") + "/v1/topics", "", "traceparent", caller);
      assertThat(topics.headers().first("traceparent")).isEqualTo(caller);
      Reply untraced = ask(node, "GET", node.url("mailbox") + "/v1/topics", "");
      assertThat(untraced.headers().has("traceparent")).isFalse();
      assertThat(page(node)).doesNotContain("spans_exported_total");
    }
  }

  private int send(RunningNode node) throws Exception {
    return ask(
            node,
            "POST",
            node.url("mailbox") + "/v1/send",
            message("m"),
            "Content-Type",
            "application/json")
        .status();
  }

  private String page(RunningNode node) throws Exception {
    return ask(node, "GET", node.node().adminUrl() + "/metrics", "").body();
  }

  private double metric(RunningNode node, String series) throws Exception {
    return page(node)
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .findFirst()
        .orElse(0);
  }

  /** The page is scraped at a limited rate; a scrape that is refused is tried again. */
  private void awaitMetric(RunningNode node, String series, double least) throws Exception {
    FilledNode.await(() -> metric(node, series) >= least);
  }
}
