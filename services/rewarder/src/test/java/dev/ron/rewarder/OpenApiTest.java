package dev.ron.rewarder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.Golden;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The document says what every body is, and what the rewarder answers is what it says. */
@Timeout(120)
final class OpenApiTest {
  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final int PROBLEMS_FROM = 400;

  @TempDir private Path folder;

  @Test
  void everyBodyHasASchema() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      int routes = 0;
      for (var path : document(rig).get("paths").properties()) {
        for (var operation : path.getValue().properties()) {
          if (path.getKey().startsWith("/rewarder/")) {
            routes++;
            String at = operation.getKey() + " " + path.getKey();
            bodies(at, operation.getKey(), operation.getValue());
          }
        }
      }
      assertThat(routes).isEqualTo(13);
    }
  }

  private static void bodies(String at, String method, JsonNode operation) {
    if (method.equals("post")) {
      JsonNode body = operation.at("/requestBody/content/application~1json/schema");
      assertThat(body.get("properties").size()).as(at).isPositive();
      assertThat(body.get("additionalProperties").booleanValue()).as(at).isFalse();
    }
    for (var answer : operation.get("responses").properties()) {
      for (var content : answer.getValue().get("content").properties()) {
        JsonNode schema = content.getValue().get("schema");
        if (Integer.parseInt(answer.getKey()) >= PROBLEMS_FROM) {
          assertThat(content.getKey()).as(at).isEqualTo("application/problem+json");
          assertThat(schema.get("$ref").stringValue()).endsWith("/Problem");
        } else {
          assertThat(schema.get("properties").size()).as(at).isPositive();
        }
      }
    }
  }

  @Test
  void theDocumentIsThePageThatIsKept() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      String page = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document(rig));
      Golden.matches("docs/openapi/rewarder.json", page + "\n");
    }
  }

  @Test
  void whatIsAnsweredFitsTheSchema() throws Exception {
    String lines =
        """
        {"actor":"bob","metric":"bytes_served","units":"300"}
        {"actor":"mallory","metric":"lies","units":"5"}
        """;
    try (Rig rig = Rig.open(folder)) {
      String hold = rig.seal(Rig.POLICY.replace("refuse", "hold"));
      rig.compute("e1", rig.seal(lines), rig.ledger("e1", "1000"), hold, false);
      rig.compute("e2", lines);
      rig.awaitSettlement("e1", "settled");
      String other = "{\"epochs\":[\"e1\"],\"policy\":\"%s\"}".formatted(rig.seal(Rig.POLICY));
      JsonNode paths = document(rig).get("paths");
      String epoch = "/rewarder/epochs/{epoch}";
      fits(paths, "/rewarder/epochs", rig.get("/rewarder/epochs"));
      fits(paths, epoch, rig.get("/rewarder/epochs/e1"));
      fits(paths, epoch, rig.get("/rewarder/epochs/e2"));
      fits(paths, epoch + "/settlement", rig.get("/rewarder/epochs/e1/settlement"));
      fits(paths, epoch + "/verify", rig.get("/rewarder/epochs/e1/verify"));
      fits(paths, epoch + "/allocations", rig.get("/rewarder/epochs/e1/allocations"));
      fits(paths, epoch + "/held", rig.get("/rewarder/epochs/e1/held"));
      for (String actor : List.of("bob", "mallory")) {
        String explained = rig.get("/rewarder/epochs/e1/allocations/" + actor);
        fits(paths, epoch + "/allocations/{actor}", explained);
      }
      fits(paths, "/rewarder/keys", rig.get("/rewarder/keys"));
      fits(paths, "/rewarder/policy/{id}", rig.get("/rewarder/policy/p"));
      fits(paths, "/rewarder/ledger", rig.get("/rewarder/ledger"));
      fits(paths, "/rewarder/ledger/{account}", rig.get("/rewarder/ledger/pool:ROC:e1"));
      fits(paths, "/rewarder/simulate", rig.post("/rewarder/simulate", other, ""));
    }
  }

  private static JsonNode document(Rig rig) throws Exception {
    String document = rig.get("/openapi.json");
    assertThat(document).startsWith("200 ");
    return MAPPER.readTree(document.substring("200 ".length()));
  }

  private static void fits(JsonNode paths, String path, String answer) {
    assertThat(answer).as(path).startsWith("200 ");
    JsonNode operation = paths.get(path).values().iterator().next();
    var content = operation.at("/responses/200/content").values().iterator().next();
    String json = answer.substring("200 ".length()).lines().findFirst().orElseThrow();
    fits(path, content.get("schema"), MAPPER.readTree(json));
  }

  private static void fits(String at, JsonNode schema, JsonNode value) {
    switch (schema.path("type").asString("any")) {
      case "object" -> object(at, schema, value);
      case "array" -> {
        assertThat(value.isArray()).as(at).isTrue();
        value.values().forEach(each -> fits(at + "[]", schema.get("items"), each));
      }
      case "string" -> assertThat(value.isString()).as(at).isTrue();
      case "integer" -> assertThat(value.isIntegralNumber()).as(at).isTrue();
      case "boolean" -> assertThat(value.isBoolean()).as(at).isTrue();
      default -> assertThat(schema.has("properties")).as(at).isFalse();
    }
  }

  private static void object(String at, JsonNode schema, JsonNode value) {
    assertThat(value.isObject()).as(at).isTrue();
    Set<String> required = new HashSet<>();
    schema.path("required").values().forEach(name -> required.add(name.stringValue()));
    assertThat(new ArrayList<>(value.propertyNames())).as(at).containsAll(required);
    for (var field : value.properties()) {
      String name = at + "." + field.getKey();
      JsonNode declared = schema.path("properties").get(field.getKey());
      JsonNode known = declared == null ? schema.get("additionalProperties") : declared;
      assertThat(known).as(name).isNotNull();
      assertThat(known.isObject()).as(name).isTrue();
      fits(name, known, field.getValue());
    }
    // One order for all answers, that of canonical JSON; a policy is answered as it was sealed.
    if (!at.startsWith("/rewarder/policy")) {
      assertThat(new ArrayList<>(value.propertyNames())).as(at).isSorted();
    }
  }
}
