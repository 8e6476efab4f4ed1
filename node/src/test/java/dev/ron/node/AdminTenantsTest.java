package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.caveat.Caveat;
import dev.ron.client.StorageClient;
import dev.ron.node.cli.CommandClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every route of the admin door, asked by a tenant: what is the operator's is refused, and of usage
 * it sees its own.
 */
@Timeout(120)
final class AdminTenantsTest {
  /** The same words for every client. */
  private static final Set<String> OPEN = Set.of("healthz", "version");

  /** Labels whose values are names of parts of the server, or chosen by the operator. */
  private static final Set<String> OF_THE_SERVER =
      Set.of(
          "action",
          "cause",
          "code",
          "endpoint",
          "kind",
          "le",
          "method",
          "metric",
          "op",
          "operation",
          "outcome",
          "pool",
          "quantile",
          "queue",
          "range",
          "reason",
          "result",
          "route",
          "service",
          "shard",
          "status",
          "store",
          "task",
          "upstream");

  @TempDir private Path data;

  /** What the admin door answers itself: the status, the method, and the path. */
  private static Map<String, List<String>> ownRows() {
    var rows = new LinkedHashMap<String, List<String>>();
    rows.put("reload", List.of("403 POST /reload"));
    rows.put("logs", List.of("403 GET /logs", "403 GET /logs?from=0"));
    rows.put(
        "usage",
        List.of("200 GET /usage", "403 GET /usage?tenant=acme", "403 GET /usage?tenant=none"));
    rows.put("cluster", List.of("403 GET /cluster"));
    rows.put("settings", List.of("403 GET /settings"));
    rows.put("history", List.of("200 GET /history", "200 GET /history?since=0"));
    rows.put(
        "metrics",
        List.of("200 GET /metrics", "200 GET /api/s3/metrics", "200 GET /api/sqs/metrics"));
    rows.put(
        "tenants",
        List.of(
            "200 GET /tenants", "403 GET /tenants?tenant=acme", "403 GET /tenants?tenant=none"));
    rows.put("dashboard", List.of("200 GET /"));
    rows.put("registry", List.of("200 GET /registry"));
    rows.put(
        "readyz", List.of("200 GET /readyz", "200 GET /api/s3/readyz", "200 GET /api/sqs/readyz"));
    rows.put(
        "usage-spans",
        List.of(
            "200 GET /usage/spans?tenant=evil&metric=storage.requests",
            "403 GET /usage/spans?tenant=acme&metric=storage.requests"));
    rows.put("usage-seals", List.of("403 GET /usage/seals"));
    return rows;
  }

  /** What goes through it to a service, which answers as it does at its own door. */
  private static List<String> passageRows(String account) {
    return List.of(
        "200 GET /api/mailbox/metrics",
        "200 GET /api/storage/metrics",
        "200 GET /api/edge/metrics",
        "200 GET /api/rewarder/metrics",
        "403 GET /api/gateway/metrics",
        "200 GET /api/mailbox/openapi.json",
        "200 GET /api/mailbox/v1/topics",
        "200 GET /api/mailbox/v1/dlq",
        "200 GET /api/mailbox/v1/dlq?topic=acme-orders",
        "404 GET /api/mailbox/v1/topics/acme-orders",
        "200 GET /api/storage/o",
        "200 GET /api/rewarder/rewarder/epochs",
        "200 GET /signed/s3",
        "403 GET /signed/s3/acme-bucket",
        "403 GET /signed/s3/acme-bucket/none",
        "404 GET /signed/sqs/" + account + "/acme-queue");
  }

  @Test
  void noRouteTellsATenantOfAnother() throws Exception {
    var settings = Map.of("usage.seal", "1s", "mailbox.max_attempts", "1");
    try (RunningNode node = RunningNode.start(data, settings);
        HttpClient http = HttpClient.newHttpClient()) {
      String acme = node.keys().mint(List.of(new Caveat.Tenant("acme")));
      String evil = node.keys().mint(List.of(new Caveat.Tenant("evil")));
      String account = things(http, node, acme);
      awaitShown(http, node, "/metrics", "tenant=\"acme\"");
      awaitShown(http, node, "/metrics", "topic=\"~acme/acme-orders\"");
      awaitShown(http, node, "/tenants", "\"tenant\":\"acme\"");
      awaitShown(http, node, "/history", "\"acme\"");
      Map<String, List<String>> rows = ownRows();
      Set<String> open = new TreeSet<>(OPEN);
      open.addAll(rows.keySet());
      assertThat(open)
          .as("a row for each route")
          .isEqualTo(operations(ask(http, node, "GET", "/openapi.json", "").body()));
      var all = new ArrayList<String>();
      rows.values().forEach(all::addAll);
      all.addAll(passageRows(account));
      for (String attempt : all) {
        String[] words = attempt.split(" ", 3);
        HttpResponse<String> told = ask(http, node, words[1], words[2], evil);
        assertThat(told.statusCode() + " " + words[1] + " " + words[2]).isEqualTo(attempt);
        noneOfIt(words[2], told);
        noneOfIt(words[2], ask(http, node, words[1], words[2], ""));
      }
      assertThat(ask(http, node, "GET", "/metrics", acme).body())
          .contains("tenant=\"acme\"", "topic=\"~acme/acme-orders\"");
      assertThat(labels(ask(http, node, "GET", "/metrics", node.keys().adminToken()).body()))
          .as("a new label is of the server, or TenantSeries has to know whose its values are")
          .isSubsetOf(Stream.concat(OF_THE_SERVER.stream(), Stream.of("tenant", "topic")).toList());
    }
  }

  private static void noneOfIt(String asked, HttpResponse<String> told) {
    String said = told.body();
    for (String word : asked.split("[/=&?]", -1)) {
      said = word.contains("acme") ? said.replace(word, "") : said; // a refusal says it again
    }
    assertThat(said).as(asked).doesNotContain("acme");
  }

  /** Things of a tenant in each service; its account. */
  private static String things(HttpClient http, RunningNode node, String acme) throws Exception {
    try (var client =
        new StorageClient(CommandClient.scope(), URI.create(node.url("storage")), acme)) {
      client.put("hush".getBytes(UTF_8));
    }
    String message = "{\"topic\":\"acme-orders\",\"idem_key\":\"k\",\"payload_b64\":\"AAAA\"}";
    String id = field(post(http, node, "mailbox", "/v1/send", message, acme), "msg_id");
    String got = post(http, node, "mailbox", "/v1/recv", "{\"topic\":\"acme-orders\"}", acme);
    String receipt = "{\"receipt\":\"%s\"}".formatted(field(got, "receipt"));
    post(http, node, "mailbox", "/v1/nack/" + id, receipt, acme);
    ask(http, node, "GET", "/api/gateway/v1/topics", acme); // counted, whatever its answer is
    assertThat(ask(http, node, "PUT", "/signed/s3/acme-bucket", acme).statusCode()).isEqualTo(200);
    String queue =
        post(http, node, "sqs", "/", "{\"QueueName\":\"acme-queue\"}", acme, "CreateQueue");
    return field(queue, "QueueUrl").replaceAll(".*/([0-9]{12})/.*", "$1");
  }

  private static String field(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
    assertThat(found.find()).as(json).isTrue();
    return found.group(1);
  }

  private static String post(
      HttpClient http,
      RunningNode node,
      String service,
      String path,
      String json,
      String token,
      String... action)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(node.url(service) + path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json));
    if (action.length > 0) {
      request
          .setHeader("Content-Type", "application/x-amz-json-1.0")
          .header("X-Amz-Target", "AmazonSQS." + action[0]);
    }
    HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static Set<String> labels(String metrics) {
    var found = new TreeSet<String>();
    metrics
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(
            line -> {
              Matcher each = Pattern.compile("[{,]([a-z_]+)=\"").matcher(line);
              while (each.find()) {
                found.add(each.group(1));
              }
            });
    return found;
  }

  /** What the operator sees, so that there is something to hide. */
  private static void awaitShown(HttpClient http, RunningNode node, String path, String text)
      throws Exception {
    while (!ask(http, node, "GET", path, node.keys().adminToken()).body().contains(text)) {
      LockSupport.parkNanos(50_000_000); // usage is counted, and metrics are made, once in a while
    }
  }

  private static HttpResponse<String> ask(
      HttpClient http, RunningNode node, String method, String path, String token)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(node.admin() + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static Set<String> operations(String document) {
    var found = new TreeSet<String>();
    Matcher each = Pattern.compile("\"operationId\":\"([^\"]+)\"").matcher(document);
    while (each.find()) {
      found.add(each.group(1));
    }
    return found;
  }
}
