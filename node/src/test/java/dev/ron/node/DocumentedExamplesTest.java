package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.testkit.Golden;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every example in every OpenAPI document, sent to a running node with an admin's capability: the
 * answer has a status that the document lists, a good one, and the body that it promises.
 */
@Timeout(120)
final class DocumentedExamplesTest {
  private static final Path ROOT = Path.of(System.getProperty("ron.root", "."));
  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final int REFUSED_FROM = 400;

  /** Routes that answer for as long as their client stays; one line of the answer is read. */
  private static final Set<String> STREAMS = Set.of("mailbox POST /v1/recv/stream");

  /** Operations of the admin door that are files of the dashboard, for browsers. */
  private static final String PAGES = "dashboard";

  /** Routes that answer when their work is done only to a caller that says so. */
  private static final Set<String> WAITS = Set.of("rewarder POST /rewarder/epochs/{epoch}/compute");

  /** The command that does the same; that each exists is for the test of commands in pages. */
  private static final Map<String, String> COMMANDS =
      Map.ofEntries(
          Map.entry("gateway GET /readyz", "status"),
          Map.entry("gateway GET /metrics", "top"),
          Map.entry("edge GET /edge/packs", "pack list"),
          Map.entry("mailbox POST /v1/send", "send TOPIC --key KEY --file FILE"),
          Map.entry("mailbox POST /v1/recv", "recv TOPIC --max 10 --wait-ms 1000"),
          Map.entry("mailbox POST /v1/ack/{msg_id}", "ack MSG_ID --receipt RECEIPT"),
          Map.entry("mailbox POST /v1/nack/{msg_id}", "nack MSG_ID --reason TEXT"),
          Map.entry("mailbox GET /v1/topics", "topics"),
          Map.entry("mailbox GET /v1/dlq", "dlq list --topic TOPIC"),
          Map.entry("mailbox GET /v1/dlq/{msg_id}", "dlq show MSG_ID"),
          Map.entry("mailbox DELETE /v1/dlq/{msg_id}", "dlq drop MSG_ID"),
          Map.entry("mailbox POST /v1/dlq/reprocess", "dlq reprocess --topic TOPIC --limit 100"),
          Map.entry("storage GET /o/{address}", "get ADDRESS --out FILE"),
          Map.entry("storage POST /o", "put FILE"),
          Map.entry("storage GET /o", "ls --limit 100"),
          Map.entry("storage GET /repair", "repair status"),
          Map.entry(
              "rewarder POST /rewarder/epochs/{epoch}/compute",
              "epoch compute EPOCH --accounting ADDRESS --ledger ADDRESS --policy ADDRESS"),
          Map.entry("rewarder GET /rewarder/epochs/{epoch}", "epoch status EPOCH"),
          Map.entry("rewarder GET /rewarder/epochs/{epoch}/verify", "epoch verify EPOCH"),
          Map.entry(
              "rewarder GET /rewarder/epochs/{epoch}/allocations/{actor}",
              "epoch explain EPOCH ACTOR"),
          Map.entry("admin POST /reload", "reload"),
          Map.entry("admin GET /logs", "logs"),
          Map.entry("admin GET /usage", "usage"),
          Map.entry("mailbox GET /v1/cluster", "cluster status"),
          Map.entry("mailbox POST /v1/cluster/join", "cluster join NODE HOST:PORT"),
          Map.entry("mailbox POST /v1/cluster/leave", "cluster leave NODE"),
          Map.entry("mailbox POST /v1/cluster/transfer", "cluster transfer NODE --group GROUP"),
          Map.entry("rewarder POST /rewarder/simulate", "epoch simulate EPOCH --policy ADDRESS"));

  /** The call that does the same, as the page of the Java client has it in a program that runs. */
  private static final Map<String, String> JAVA =
      Map.of(
          "mailbox POST /v1/send", "mailbox.send(\"orders\", \"order-1\", order)",
          "mailbox POST /v1/recv",
              "mailbox.receive(\"orders\", 10, Duration.ofSeconds(30), Duration.ofSeconds(1))",
          "mailbox POST /v1/ack/{msg_id}", "mailbox.ack(each)",
          "mailbox POST /v1/nack/{msg_id}", "mailbox.nack(each, \"out of pears\")",
          "mailbox POST /v1/extend/{msg_id}", "mailbox.extend(each, Duration.ofMinutes(2))",
          "storage POST /o", "storage.put(\"hello\".getBytes())",
          "storage GET /o/{address}", "storage.get(address, out, Progress.NONE)");

  /** What must be there before a route is asked; answers the parameters that only it knows. */
  @FunctionalInterface
  private interface Prior {
    Map<String, String> make() throws Exception;
  }

  @TempDir private Path data;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, Prior> priors = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();
  private RunningNode node;
  private int keys;

  @BeforeEach
  void start() throws Exception {
    node =
        RunningNode.start(
            data,
            Map.of(
                "rewarder.require_signed_policy", "false",
                "rewarder.inputs", "files",
                "rewarder.storage_url", "http://127.0.0.1:1",
                "mailbox.max_attempts", "1"));
    storagePriors();
    rewarderPriors();
    mailboxPriors();
  }

  @AfterEach
  void stop() {
    node.close();
    http.close();
  }

  private void storagePriors() {
    Prior object =
        () -> {
          good(send("PUT", "storage", "/o/" + hello(), "", "hello"));
          return Map.of();
        };
    Prior upload = () -> Map.of("upload", field(begin(), "upload"));
    priors.put("storage GET /o/{address}", object);
    priors.put("storage DELETE /o/{address}", object);
    priors.put("storage GET /o/uploads/{upload}", upload);
    priors.put("storage PUT /o/uploads/{upload}/{part}", upload);
    priors.put("storage DELETE /o/uploads/{upload}", upload);
    priors.put(
        "storage POST /o/uploads/{upload}/complete",
        () -> {
          String id = field(begin(), "upload");
          good(send("PUT", "storage", "/o/uploads/" + id + "/0", "", "hello"));
          return Map.of("upload", id);
        });
  }

  private String hello() throws Exception {
    return parameter("storage", "/o/{address}", "get", "address");
  }

  private String begin() throws Exception {
    return good(send("POST", "storage", "/o/uploads", "application/json", "{}"));
  }

  /** The documents whose addresses the examples name, and the run of the epoch they name. */
  private void rewarderPriors() {
    Prior inputs =
        () -> {
          sealed("actor,metric,units\nalice,served,3\nbob,served,1\n");
          sealed("{\"pool_minor\":\"100\",\"asset\":\"ROC\",\"epoch\":\"2026-01\"}");
          sealed(
              "{\"id\":\"even\",\"version\":1,\"weights_ppm\":{\"served\":1000000},"
                  + "\"rounding\":\"floor\",\"min_payout_minor\":\"0\",\"on_bad_line\":\"refuse\"}");
          return Map.of();
        };
    String compute = "/rewarder/epochs/{epoch}/compute";
    Prior run =
        () -> {
          inputs.make();
          String body = operation("rewarder", compute, "post").at(EXAMPLE).toString();
          String epoch = parameter("rewarder", compute, "post", "epoch");
          String path = compute.replace("{epoch}", epoch);
          good(send("POST", "rewarder", path, "application/json", body));
          return Map.of();
        };
    priors.put("rewarder POST " + compute, inputs);
    for (String path :
        List.of(
            "GET /rewarder/epochs/{epoch}",
            "GET /rewarder/epochs/{epoch}/verify",
            "POST /rewarder/simulate",
            "GET /rewarder/epochs/{epoch}/allocations",
            "GET /rewarder/epochs/{epoch}/allocations/{actor}",
            "GET /rewarder/epochs/{epoch}/held",
            "GET /rewarder/epochs/{epoch}/settlement",
            "GET /rewarder/policy/{id}",
            "GET /rewarder/ledger/{account}")) {
      priors.put("rewarder " + path, run);
    }
  }

  private void sealed(String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    Path folder = Files.createDirectories(data.resolve("rewarder/inputs"));
    Files.write(folder.resolve(new Address(Blake3.hash(bytes)).toString()), bytes);
  }

  private void mailboxPriors() {
    Prior received = () -> Map.of("msg_id", received());
    Prior sent =
        () -> {
          sent("example");
          return Map.of();
        };
    priors.put("mailbox POST /v1/recv/stream", sent);
    priors.put(
        "mailbox GET /v1/topics/{topic}",
        () -> {
          sent("example");
          return Map.of("topic", "example");
        });
    Prior dead =
        () -> {
          String id = received();
          good(send("POST", "mailbox", "/v1/nack/" + id, "application/json", "{}"));
          return Map.of("msg_id", id);
        };
    for (String word : List.of("ack", "nack", "extend")) {
      priors.put("mailbox POST /v1/" + word + "/{msg_id}", received);
      priors.put("mailbox POST /v1/" + word, received);
    }
    priors.put("mailbox GET /v1/dlq/{msg_id}", dead);
    priors.put("mailbox DELETE /v1/dlq/{msg_id}", dead);
    priors.put("mailbox POST /v1/dlq/{msg_id}/reprocess", dead);
    priors.put("mailbox POST /v1/dlq/{msg_id}/copy", dead);
  }

  /** A message of its own topic, so that no other is received in its place. */
  private String received() throws Exception {
    String topic = "example/" + keys;
    String id = sent(topic);
    String body =
        "{\"topic\":\"%s\",\"visibility_ms\":60000,\"max_messages\":100}".formatted(topic);
    String got = good(send("POST", "mailbox", "/v1/recv", "application/json", body));
    assertThat(got).contains(id);
    return id;
  }

  private String sent(String topic) throws Exception {
    String query = "/v1/send?topic=%s&idem_key=%d".formatted(topic, keys++);
    return field(good(send("POST", "mailbox", query, "", "hello")), "msg_id");
  }

  // ---- the walk

  private static final String EXAMPLE = "/requestBody/content/application~1json/example";

  @Test
  void everyExampleIsAnsweredAsDocumented() throws Exception {
    var page = new StringBuilder(PAGE);
    int asked = 0;
    for (String service : List.of("gateway", "edge", "mailbox", "storage", "rewarder", "admin")) {
      page.append("\n## ").append(service).append('\n');
      JsonNode document = document(service);
      for (var path : document.get("paths").properties()) {
        for (var operation : path.getValue().properties()) {
          String method = operation.getKey().toUpperCase(Locale.ROOT);
          String key = service + " " + method + " " + path.getKey();
          if (operation.getValue().get("operationId").stringValue().equals(PAGES)) {
            continue;
          }
          Prior prior = priors.get(key);
          Map<String, String> known = prior == null ? Map.of() : prior.make();
          var route =
              new DocumentedRoute(key, service, method, path.getKey(), operation.getValue());
          Optional<CurlExample> curl =
              route.isGrpc() ? Optional.empty() : curl(route, known.keySet());
          describe(page, route, curl);
          asked++;
          ask(route, document, known, curl);
        }
      }
    }
    severalMachines(page);
    assertThat(wrong).isEmpty();
    String client = Files.readString(ROOT.resolve("docs/java-client.md")).replaceAll("\\s+", " ");
    assertThat(JAVA.values())
        .allSatisfy(call -> assertThat(client).contains(call))
        .allSatisfy(call -> assertThat(page).contains("In Java: `" + call + "`"));
    assertThat(asked).as("the walk sees the routes").isGreaterThan(50);
    Golden.matches("docs/api.md", page.toString());
  }

  private record DocumentedRoute(
      String key, String service, String method, String path, JsonNode operation) {
    /** Its bodies are protobuf, which a client made from the schema writes. */
    boolean isGrpc() {
      return path.startsWith("/ron.");
    }
  }

  /**
   * The request as the page shows it; empty if the document does not say enough.
   *
   * @param known names of what only an earlier answer tells
   */
  private Optional<CurlExample> curl(DocumentedRoute route, Set<String> known) {
    JsonNode content = route.operation().at("/requestBody/content");
    String type = contentType(route);
    JsonNode example = content.isMissingNode() ? null : content.get(type).get("example");
    if (!content.isMissingNode() && example == null) {
      wrong.add(route.key() + ": its body has no example");
      return Optional.empty();
    }
    var names = new LinkedHashMap<String, String>();
    known.forEach(name -> names.put(name, "@" + name + "@"));
    String body =
        example == null
            ? ""
            : example.isString() ? example.stringValue() : filled(example, names).toString();
    var headers = new ArrayList<String>();
    if (!body.isEmpty()) {
      headers.add("Content-Type: " + type);
    }
    if (WAITS.contains(route.key())) {
      headers.add("Prefer: wait=60");
    }
    var variables = new LinkedHashMap<String, String>();
    known.forEach(name -> variables.put(name, "$" + name));
    String url = CurlExample.DOORS.get(route.service()) + target(route, variables);
    return Optional.of(new CurlExample(route.method(), url, headers, body));
  }

  private static String contentType(DocumentedRoute route) {
    JsonNode content = route.operation().at("/requestBody/content");
    return content.isMissingNode() ? "" : content.propertyNames().iterator().next();
  }

  private void ask(
      DocumentedRoute route,
      JsonNode document,
      Map<String, String> known,
      Optional<CurlExample> curl)
      throws Exception {
    CurlExample.Answer answer;
    boolean streams = STREAMS.contains(route.key());
    if (curl.isPresent() && CurlExample.canRun()) {
      answer = streams ? curl.get().firstLine(node, known) : curl.get().run(node, data, known);
    } else {
      String body = curl.map(example -> example.body(known)).orElse("");
      String type = curl.map(example -> contentType(route)).orElse("");
      var sent = send(route.method(), route.service(), target(route, known), type, body);
      try (InputStream in = sent.body()) {
        answer =
            new CurlExample.Answer(
                sent.statusCode(),
                sent.headers().firstValue("Content-Type").orElse("none"),
                streams ? line(in) : new String(in.readAllBytes(), UTF_8));
      }
    }
    judge(route, document, answer);
  }

  private static String line(InputStream in) throws IOException {
    return new BufferedReader(new InputStreamReader(in, UTF_8)).readLine();
  }

  /** Routes that a machine has only with others; their examples are compared with their schemas. */
  private void severalMachines(StringBuilder page) throws IOException {
    page.append("\n## mailbox on several machines\n");
    JsonNode document = MAPPER.readTree(ROOT.resolve("docs/openapi/mailbox-cluster.json"));
    int shown = 0;
    for (var path : document.get("paths").properties()) {
      for (var operation : path.getValue().properties()) {
        if (path.getKey().startsWith("/v1/cluster")) {
          shown++;
          String method = operation.getKey().toUpperCase(Locale.ROOT);
          String key = "mailbox " + method + " " + path.getKey();
          var route =
              new DocumentedRoute(key, "mailbox", method, path.getKey(), operation.getValue());
          describe(page, route, curl(route, Set.of()));
          JsonNode content = operation.getValue().at("/requestBody/content/application~1json");
          if (!content.isMissingNode()) {
            SchemaCheck.complaints(document, content.get("schema"), content.get("example"))
                .forEach(complaint -> wrong.add(key + ": " + complaint));
          }
        }
      }
    }
    assertThat(shown).isEqualTo(4);
  }

  /** The example with what only the prior knows, under its name, in place of what stands there. */
  private static JsonNode filled(JsonNode example, Map<String, String> known) {
    if (example instanceof ObjectNode object) {
      for (String name : List.copyOf(object.propertyNames())) {
        if (known.containsKey(name)) {
          object.put(name, known.get(name));
        } else {
          filled(object.get(name), known);
        }
      }
    } else if (example.isArray()) {
      example.values().forEach(each -> filled(each, known));
    }
    return example;
  }

  private String target(DocumentedRoute route, Map<String, String> known) {
    String target = route.path();
    var query = new ArrayList<String>();
    for (JsonNode parameter : route.operation().get("parameters").values()) {
      String name = parameter.get("name").stringValue();
      String value = known.getOrDefault(name, parameter.path("example").asString(""));
      if (parameter.get("in").stringValue().equals("path")) {
        if (value.isEmpty()) {
          wrong.add(route.key() + ": no example of " + name + ", and no prior that makes one");
        }
        target = target.replace("{" + name + "}", value.replace(":", "%3A"));
      } else if (!value.isEmpty()) {
        query.add(name + "=" + value);
      }
    }
    return query.isEmpty() ? target : target + "?" + String.join("&", query);
  }

  private void judge(DocumentedRoute route, JsonNode document, CurlExample.Answer answer) {
    String key = route.key();
    String body = answer.body();
    JsonNode promised = route.operation().get("responses").get(String.valueOf(answer.status()));
    if (promised == null || answer.status() >= REFUSED_FROM) {
      wrong.add("%s: answered %d %s".formatted(key, answer.status(), body));
      return;
    }
    JsonNode contents = promised.path("content");
    if (contents.isEmpty()) {
      return;
    }
    String type = answer.type();
    String known =
        contents.propertyNames().stream().filter(type::startsWith).findFirst().orElse("");
    if (known.isEmpty()) {
      wrong.add("%s: is %s, not %s".formatted(key, type, contents.propertyNames()));
    } else if (known.contains("json")) {
      JsonNode schema = contents.get(known).get("schema");
      boolean lines = known.contains("ndjson");
      for (String json : lines ? body.lines().toList() : List.of(body)) {
        SchemaCheck.complaints(document, schema, MAPPER.readTree(json))
            .forEach(complaint -> wrong.add(key + ": " + complaint));
      }
    }
  }

  // ---- the page

  private static final String PAGE =
      """
      # The API

      Every documented route of every service, with a request to type and the statuses it answers. `RON_CAP` is a
      capability, such as the one in `data/keys/admin.cap`; a name with a dollar comes from an earlier answer, and
      what lacks a value may be left out. `DocumentedExamplesTest` writes this page from the OpenAPI documents of a
      running node and runs each request as it stands here; `-Dron.golden=write` writes it anew. The documents
      themselves, with all schemas, are at `/openapi.json` of each service and in [openapi](openapi).

      The admin door is the node's own: it listens on loopback alone, and an operator's capability is asked for
      where a tenant's would show or change what is not its own. What is under "several machines" is answered only
      by a mailbox that has others beside it, so those requests are compared with their schemas and not run.

      A call in Java is one of the [Java client](java-client.md), whose page has a program around it. gRPC clients are
      made from the schema that [mailbox.md](services/mailbox.md) names.

      ## S3 and SQS

      These doors are spoken to by the clients they were made for, with a capability as their key pair. `ron s3` and
      `ron sqs` do the same; [s3.md](services/s3.md) and [sqs.md](services/sqs.md) list the operations.

      ```sh
      ./ron cap keypair --profile ron
      ron_s3() { aws --profile ron --endpoint-url http://127.0.0.1:8085 "$@"; }
      ron_s3 s3 mb s3://isles
      echo "an island" | ron_s3 s3 cp - s3://isles/2026/one.txt
      ron_s3 s3 cp s3://isles/2026/one.txt -
      ron_s3 s3api put-object-tagging --bucket isles --key 2026/one.txt --tagging 'TagSet=[{Key=kind,Value=island}]'
      ron_s3 s3api list-objects-v2 --bucket isles --prefix 2026/
      ron_s3 s3 presign s3://isles/2026/one.txt --expires-in 600

      ron_sqs() { aws --profile ron --endpoint-url http://127.0.0.1:8086 --region us-east-1 sqs "$@"; }
      queue=$(ron_sqs create-queue --queue-name parcels --query QueueUrl --output text)
      ron_sqs send-message --queue-url "$queue" --message-body "two pears"
      receipt=$(ron_sqs receive-message --queue-url "$queue" --query 'Messages[0].ReceiptHandle' --output text)
      ron_sqs delete-message --queue-url "$queue" --receipt-handle "$receipt"
      ```
      """;

  private static void describe(
      StringBuilder page, DocumentedRoute route, Optional<CurlExample> curl) {
    JsonNode operation = route.operation();
    page.append("\n### ")
        .append(route.method())
        .append(' ')
        .append(route.path())
        .append("\n\n")
        .append(operation.get("summary").stringValue());
    var parameters = new LinkedHashMap<String, String>();
    for (JsonNode each : operation.get("parameters").values()) {
      parameters.put(each.get("name").stringValue(), each.path("example").asString(""));
    }
    if (!parameters.isEmpty()) {
      page.append("\n\nParameters:");
      parameters.forEach(
          (name, example) ->
              page.append("\n- `")
                  .append(name)
                  .append('`')
                  .append(example.isEmpty() ? "" : ", such as `" + example + "`"));
    }
    curl.ifPresent(example -> page.append("\n\n```\n").append(example.text()).append("\n```"));
    String command = COMMANDS.get(route.key());
    if (command != null) {
      page.append("\n\nBy command: `ron ").append(command).append("`.");
    }
    String java = JAVA.get(route.key());
    if (java != null) {
      page.append("\n\nIn Java: `").append(java).append("`.");
    }
    page.append("\n\nAnswers ")
        .append(String.join(", ", operation.get("responses").propertyNames()))
        .append(".\n");
  }

  // ---- asking

  private JsonNode document(String service) throws Exception {
    return MAPPER.readTree(good(send("GET", service, "/openapi.json", "", "")));
  }

  private JsonNode operation(String service, String path, String method) throws Exception {
    return document(service).get("paths").get(path).get(method);
  }

  private String parameter(String service, String path, String method, String name)
      throws Exception {
    for (JsonNode each : operation(service, path, method).get("parameters").values()) {
      if (each.get("name").stringValue().equals(name)) {
        return each.get("example").stringValue();
      }
    }
    throw new AssertionError(path + " has no " + name);
  }

  private static String field(String json, String name) {
    return MAPPER.readTree(json).get(name).stringValue();
  }

  private static String good(HttpResponse<InputStream> answer) throws IOException {
    try (InputStream in = answer.body()) {
      String body = new String(in.readAllBytes(), UTF_8);
      assertThat(answer.statusCode()).as("%s %s", answer.uri(), body).isLessThan(REFUSED_FROM);
      return body;
    }
  }

  private HttpResponse<InputStream> send(
      String method, String service, String target, String type, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(node.url(service) + target))
            .timeout(Duration.ofSeconds(60))
            .header("Authorization", "Bearer " + node.keys().adminToken())
            .header("Content-Type", type.isEmpty() ? "application/octet-stream" : type)
            .header("Prefer", "wait=60")
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    return http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
  }
}
