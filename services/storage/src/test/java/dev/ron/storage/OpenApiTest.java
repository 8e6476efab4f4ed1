package dev.ron.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.Golden;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The document says what every JSON body is, and what the storage answers is what it says. */
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
        if (path.getKey().matches("/o(/.*)?|/repair")) {
          for (var operation : path.getValue().properties()) {
            routes++;
            bodies(operation.getKey() + " " + path.getKey(), operation.getValue());
          }
        }
      }
      assertThat(routes).isEqualTo(11);
    }
  }

  private static void bodies(String at, JsonNode operation) {
    assertThat(operation.has("requestBody"))
        .as(at)
        .isEqualTo(at.startsWith("put") || at.startsWith("post"));
    for (var body : operation.at("/requestBody/content").properties()) {
      boolean bytes = body.getKey().equals("application/octet-stream");
      JsonNode schema = body.getValue().get("schema");
      assertThat(schema.path("properties").size()).as(at).isEqualTo(bytes ? 0 : 2);
      assertThat(schema.path("additionalProperties").asBoolean(bytes)).as(at).isEqualTo(bytes);
    }
    for (var answer : operation.get("responses").properties()) {
      int status = Integer.parseInt(answer.getKey());
      assertThat(answer.getValue().has("content")).as(at).isEqualTo(status != 204 && status != 304);
      for (var content : answer.getValue().path("content").properties()) {
        JsonNode schema = content.getValue().get("schema");
        if (status >= PROBLEMS_FROM) {
          assertThat(content.getKey()).as(at).isEqualTo("application/problem+json");
          assertThat(schema.get("$ref").stringValue()).endsWith("/Problem");
        } else {
          boolean bytes = content.getKey().equals("application/octet-stream");
          assertThat(schema.path("properties").isEmpty()).as(at).isEqualTo(bytes);
        }
      }
    }
  }

  @Test
  void theDocumentIsThePageThatIsKept() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      String page = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document(rig));
      Golden.matches("docs/openapi/storage.json", page + "\n");
    }
  }

  @Test
  void whatIsAnsweredFitsTheSchema() throws Exception {
    byte[] one = Rig.bytes(1, 10);
    try (Rig rig = Rig.open(folder)) {
      JsonNode paths = document(rig).get("paths");
      fits(paths, "put /o/{address}", 201, rig.put(one));
      fits(paths, "put /o/{address}", 200, rig.put(one));
      fits(paths, "post /o", 201, rig.send("POST", "/o", Rig.bytes(2, 10)));
      fits(paths, "post /o", 200, rig.send("POST", "/o", one));
      fits(paths, "get /o", 200, rig.get("/o"));
      fits(paths, "get /o", 200, rig.get("/o?limit=1"));
      fits(paths, "get /repair", 200, rig.get("/repair"));
      byte[] form = "{\"address\":\"%s\",\"size\":10}".formatted(Rig.address(one)).getBytes(UTF_8);
      var begun = rig.send("POST", "/o/uploads", form);
      String upload = "/o/uploads/" + Rig.field(Rig.words(begun), "upload");
      fits(paths, "post /o/uploads", 201, begun);
      fits(paths, "post /o/uploads", 200, rig.send("POST", "/o/uploads", form));
      fits(paths, "put /o/uploads/{upload}/{part}", 200, rig.send("PUT", upload + "/0", one));
      fits(paths, "get /o/uploads/{upload}", 200, rig.get(upload));
      var completed = rig.send("POST", upload + "/complete", form);
      fits(paths, "post /o/uploads/{upload}/complete", 200, completed);
    }
  }

  private static JsonNode document(Rig rig) throws Exception {
    return MAPPER.readTree(rig.get("/openapi.json").body());
  }

  private static void fits(
      JsonNode paths, String operation, int status, HttpResponse<byte[]> answer) {
    assertThat(Rig.words(answer)).as(operation).startsWith(status + " ");
    String[] words = operation.split(" ", 2);
    JsonNode schema =
        paths
            .get(words[1])
            .get(words[0])
            .get("responses")
            .get("" + status)
            .at("/content/application~1json/schema");
    assertThat(schema.get("properties").size()).as(operation).isPositive();
    fits(operation, schema, MAPPER.readTree(answer.body()));
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
      assertThat(declared).as(name).isNotNull();
      fits(name, declared, field.getValue());
    }
  }
}
