package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.testkit.Golden;
import java.io.IOException;
import java.io.InputStream;
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
  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final int REFUSED_FROM = 400;

  /** Routes that are not asked, and why. */
  private static final Map<String, String> EXEMPT =
      Map.of(
          "mailbox POST /v1/recv/stream", "ends only when its time is over or its client leaves");

  /** Routes whose document lacks the body they take, so that there is no example; and which. */
  private static final Map<String, String> BODY_MISSING =
      Map.of("mailbox POST /v1/dlq/{msg_id}/copy", "the fields to change, with an idem_key");

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
    priors.put(
        "mailbox GET /v1/topics/{topic}",
        () -> {
          received();
          return Map.of("topic", "example");
        });
    priors.put("mailbox GET /v1/dlq/{msg_id}", dead);
    priors.put("mailbox DELETE /v1/dlq/{msg_id}", dead);
    priors.put("mailbox POST /v1/dlq/{msg_id}/reprocess", dead);
    priors.put("mailbox POST /v1/dlq/{msg_id}/copy", dead);
  }

  /** A message of its own topic, so that no other is received in its place. */
  private String received() throws Exception {
    String topic = keys++ == 0 ? "example" : "example/" + keys;
    String query = "/v1/send?topic=%s&idem_key=%d".formatted(topic, keys);
    String id = field(good(send("POST", "mailbox", query, "", "hello")), "msg_id");
    String body =
        "{\"topic\":\"%s\",\"visibility_ms\":60000,\"max_messages\":100}".formatted(topic);
    String got = good(send("POST", "mailbox", "/v1/recv", "application/json", body));
    assertThat(got).contains(id);
    return id;
  }

  // ---- the walk

  private static final String EXAMPLE = "/requestBody/content/application~1json/example";

  @Test
  void everyExampleIsAnsweredAsDocumented() throws Exception {
    var page = new StringBuilder(PAGE);
    int asked = 0;
    for (String service : List.of("gateway", "edge", "mailbox", "storage", "rewarder")) {
      page.append("\n## ").append(service).append('\n');
      JsonNode document = document(service);
      for (var path : document.get("paths").properties()) {
        for (var operation : path.getValue().properties()) {
          String method = operation.getKey().toUpperCase(Locale.ROOT);
          String key = service + " " + method + " " + path.getKey();
          describe(page, method + " " + path.getKey(), operation.getValue());
          boolean bodyMissing =
              BODY_MISSING.containsKey(key) && !operation.getValue().has("requestBody");
          if (!EXEMPT.containsKey(key) && !bodyMissing) {
            asked++;
            ask(key, document, service, method, path.getKey(), operation.getValue());
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(asked).as("the walk sees the routes").isGreaterThan(50);
    Golden.matches("docs/api.md", page.toString());
  }

  private void ask(
      String key, JsonNode document, String service, String method, String path, JsonNode operation)
      throws Exception {
    Prior prior = priors.get(key);
    Map<String, String> known = prior == null ? Map.of() : prior.make();
    String target = target(key, path, operation, known);
    JsonNode content = operation.at("/requestBody/content");
    String type = content.isMissingNode() ? "" : content.propertyNames().iterator().next();
    JsonNode example = content.isMissingNode() ? null : content.get(type).get("example");
    if (!content.isMissingNode() && example == null) {
      wrong.add(key + ": its body has no example");
      return;
    }
    String body =
        example == null
            ? ""
            : example.isString() ? example.stringValue() : filled(example, known).toString();
    HttpResponse<InputStream> answer = send(method, service, target, type, body);
    try (InputStream in = answer.body()) {
      judge(key, document, operation, answer, new String(in.readAllBytes(), UTF_8));
    }
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

  private String target(String key, String path, JsonNode operation, Map<String, String> known) {
    String target = path;
    var query = new ArrayList<String>();
    for (JsonNode parameter : operation.get("parameters").values()) {
      String name = parameter.get("name").stringValue();
      String value = known.getOrDefault(name, parameter.path("example").asString(""));
      if (parameter.get("in").stringValue().equals("path")) {
        if (value.isEmpty()) {
          wrong.add(key + ": no example of " + name + ", and no prior that makes one");
        }
        target = target.replace("{" + name + "}", value.replace(":", "%3A"));
      } else if (!value.isEmpty()) {
        query.add(name + "=" + value);
      }
    }
    return query.isEmpty() ? target : target + "?" + String.join("&", query);
  }

  private void judge(
      String key,
      JsonNode document,
      JsonNode operation,
      HttpResponse<InputStream> answer,
      String body) {
    JsonNode promised = operation.get("responses").get(String.valueOf(answer.statusCode()));
    if (promised == null || answer.statusCode() >= REFUSED_FROM) {
      wrong.add("%s: answered %d %s".formatted(key, answer.statusCode(), body));
      return;
    }
    for (var content : promised.path("content").properties()) {
      String type = answer.headers().firstValue("Content-Type").orElse("none");
      if (!type.startsWith(content.getKey())) {
        wrong.add("%s: is %s, not %s".formatted(key, type, content.getKey()));
      } else if (content.getKey().contains("json")) {
        boolean lines = content.getKey().contains("ndjson");
        for (String json : lines ? body.lines().toList() : List.of(body)) {
          SchemaCheck.complaints(document, content.getValue().get("schema"), MAPPER.readTree(json))
              .forEach(complaint -> wrong.add(key + ": " + complaint));
        }
      }
    }
  }

  // ---- the page

  private static final String PAGE =
      """
      # The API

      Every documented route of every service, with the example of its body and the statuses it answers.
      `DocumentedExamplesTest` writes this page from the OpenAPI documents of a running node and sends each
      example; `-Dron.golden=write` writes it anew. The documents themselves, with all schemas, are at
      `/openapi.json` of each service.
      """;

  private static void describe(StringBuilder page, String route, JsonNode operation) {
    page.append("\n### ")
        .append(route)
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
    for (var content : operation.at("/requestBody/content").properties()) {
      JsonNode example = content.getValue().path("example");
      page.append("\n\n`").append(content.getKey()).append("`\n\n```\n");
      page.append(example.isString() ? example.stringValue() : example.toPrettyString());
      page.append("\n```");
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
