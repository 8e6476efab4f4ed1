package dev.ron.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.Golden;
import dev.ron.testkit.SeedRow;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The document shows the forms that bodies are read by, and what the mailbox answers is what it
 * says, in that order.
 */
@Timeout(120)
final class OpenApiTest {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  @TempDir private Path folder;

  @Test
  @SeedRow("M56")
  void everyFormIsShownWithItsFields() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      String document = rig.get("/openapi.json");
      assertThat(document).startsWith("200 ");
      JsonNode root = MAPPER.readTree(document.substring(4));
      assertThat(root.get("openapi").stringValue()).startsWith("3.1");
      JsonNode paths = root.get("paths");
      var shown = new ArrayList<String>();
      for (var path : paths.properties()) {
        JsonNode body = path.getValue().at("/post/requestBody/content/application~1json/schema");
        if (path.getKey().startsWith("/v1/") && !body.isMissingNode()) {
          assertThat(body.get("additionalProperties").booleanValue()).isFalse();
          shown.add(path.getKey() + " " + String.join(" ", body.get("properties").propertyNames()));
        }
      }
      assertThat(shown)
          .containsExactlyInAnyOrder(
              "/v1/send topic idem_key payload_b64 attrs delay_ms group sticky payload_hash",
              "/v1/send/batch messages",
              "/v1/recv topic visibility_ms max_messages max_bytes wait_ms",
              "/v1/recv/stream topic visibility_ms max_messages max_bytes credit",
              "/v1/ack/{msg_id} receipt",
              "/v1/ack entries",
              "/v1/nack/{msg_id} receipt reason delay_ms",
              "/v1/nack entries",
              "/v1/extend/{msg_id} receipt visibility_ms",
              "/v1/extend entries",
              "/v1/purge topic",
              "/v1/dlq/reprocess topic reason limit per_second",
              "/v1/dlq/{msg_id}/copy topic idem_key payload_b64 attrs delay_ms group sticky"
                  + " payload_hash");
    }
  }

  @Test
  void theDocumentIsThePageThatIsKept() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      String json = rig.get("/openapi.json").substring("200 ".length());
      JsonNode document = MAPPER.readTree(json);
      String page = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document);
      Golden.matches("docs/openapi/mailbox.json", page + "\n");
    }
  }

  @Test
  void everyAnswerHasASchema() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      int routes = 0;
      for (var path : paths(rig).properties()) {
        for (var operation : path.getValue().properties()) {
          if (path.getKey().startsWith("/v1/")) {
            routes++;
            String at = operation.getKey() + " " + path.getKey();
            JsonNode content = operation.getValue().at("/responses/200/content");
            assertThat(content.size()).as(at).isOne();
            JsonNode schema = content.values().iterator().next().get("schema");
            assertThat(schema.path("properties").size()).as(at).isPositive();
          }
        }
      }
      assertThat(routes).isEqualTo(20);
    }
  }

  @Test
  @SeedRow("M56")
  void whatIsAnsweredFitsTheSchema() throws Exception {
    String message = "{\"topic\":\"t\",\"idem_key\":\"%s\",\"payload_b64\":\"eA==\"%s}";
    String attrs = ",\"attrs\":{\"a\":\"b\"}";
    try (Rig rig = Rig.open(folder, "max_attempts=1", "shard_count=1")) {
      JsonNode paths = paths(rig);
      fits(paths, "post /v1/send", rig.post("/v1/send", message.formatted("1", attrs)));
      String other = message.formatted("1", "").replace("eA==", "eQ==");
      String two = message.formatted("1", attrs) + "," + other;
      String batch = "{\"messages\":[" + two + "]}";
      String sent = rig.post("/v1/send/batch", batch);
      assertThat(sent).contains("\"duplicate\":true", "\"code\":\"idem-mismatch\"");
      fits(paths, "post /v1/send/batch", sent);
      String received = rig.post("/v1/recv", "{\"topic\":\"t\"}");
      fits(paths, "post /v1/recv", received);
      String id = Rig.field(received, "msg_id");
      String receipt = "{\"receipt\":\"%s\"}".formatted(Rig.field(received, "receipt"));
      String entries = "{\"entries\":[{\"msg_id\":\"%s\"}]}".formatted(id);
      fits(paths, "post /v1/extend/{msg_id}", rig.post("/v1/extend/" + id, receipt));
      fits(paths, "post /v1/nack/{msg_id}", rig.post("/v1/nack/" + id, receipt));
      fits(paths, "post /v1/ack", rig.post("/v1/ack", entries));
      fits(paths, "get /v1/topics", rig.get("/v1/topics"));
      fits(paths, "get /v1/topics/{topic}", rig.get("/v1/topics/t"));
      fits(paths, "get /v1/dlq", rig.get("/v1/dlq"));
      fits(paths, "get /v1/dlq/{msg_id}", rig.get("/v1/dlq/" + id));
      String copied = rig.post("/v1/dlq/" + id + "/copy", "{\"idem_key\":\"2\"}");
      fits(paths, "post /v1/dlq/{msg_id}/copy", copied);
      String again = rig.post("/v1/dlq/" + id + "/reprocess", "");
      fits(paths, "post /v1/dlq/{msg_id}/reprocess", again);
      fits(paths, "post /v1/dlq/reprocess", rig.post("/v1/dlq/reprocess", ""));
      fits(paths, "post /v1/ack/{msg_id}", rig.post("/v1/ack/" + id, ""));
      String next = rig.post("/v1/recv", "{\"topic\":\"t\"}");
      assertThat(rig.post("/v1/nack/" + Rig.field(next, "msg_id"), "")).startsWith("200 ");
      String dropped = rig.delete("/v1/dlq/" + Rig.field(next, "msg_id"));
      fits(paths, "delete /v1/dlq/{msg_id}", dropped);
    }
  }

  private static JsonNode paths(Rig rig) throws Exception {
    String document = rig.get("/openapi.json");
    assertThat(document).startsWith("200 ");
    return MAPPER.readTree(document.substring("200 ".length())).get("paths");
  }

  private static void fits(JsonNode paths, String operation, String answer) {
    assertThat(answer).as(operation).startsWith("200 ");
    String[] words = operation.split(" ", 2);
    JsonNode content = paths.get(words[1]).get(words[0]).at("/responses/200/content");
    JsonNode schema = content.get("application/json").get("schema");
    JsonNode value = MAPPER.readTree(answer.substring("200 ".length()));
    assertThat(fits(schema, value)).as("%s: %s by %s", operation, value, schema).isTrue();
  }

  private static boolean fits(JsonNode schema, JsonNode value) {
    if (schema.has("oneOf")) {
      return schema.get("oneOf").values().stream().filter(one -> fits(one, value)).count() == 1;
    }
    return switch (schema.get("type").stringValue()) {
      case "object" -> value.isObject() && fieldsFit(schema, value);
      case "array" ->
          value.isArray()
              && !value.isEmpty()
              && value.values().stream().allMatch(each -> fits(schema.get("items"), each));
      case "string" -> value.isString();
      case "integer" -> value.isIntegralNumber();
      default -> value.isBoolean();
    };
  }

  /** All that are required and none that is not known, in the order of the schema. */
  private static boolean fieldsFit(JsonNode schema, JsonNode value) {
    var names = new ArrayList<>(value.propertyNames());
    JsonNode others = schema.path("additionalProperties");
    if (others.isObject()) {
      return value.values().stream().allMatch(each -> fits(others, each));
    }
    var known = new ArrayList<>(schema.get("properties").propertyNames());
    known.retainAll(names);
    return known.equals(names)
        && schema.get("required").values().stream()
            .allMatch(name -> names.contains(name.stringValue()))
        && value.properties().stream()
            .allMatch(each -> fits(schema.get("properties").get(each.getKey()), each.getValue()));
  }
}
