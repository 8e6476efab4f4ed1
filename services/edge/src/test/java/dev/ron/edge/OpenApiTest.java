package dev.ron.edge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.Golden;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The document says what every JSON body is, and what the edge answers is what it says. */
@Timeout(120)
final class OpenApiTest {
  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final int PROBLEMS_FROM = 400;

  @TempDir private Path folder;
  private PackRig rig;
  private JsonNode document;
  private JsonNode paths;

  @BeforeEach
  void open() throws Exception {
    rig = new PackRig(folder, null);
    rig.put("north.pmtiles", TestPacks.gzipped("north"));
    rig.put("broken.pmtiles", "none".getBytes(UTF_8));
    rig.await("/edge/packs", said -> said.contains("north") && said.contains("broken"));
    document = MAPPER.readTree(rig.text("/openapi.json"));
    paths = document.get("paths");
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void theDocumentIsThePageThatIsKept() throws Exception {
    String page = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document);
    Golden.matches("docs/openapi/edge.json", page + "\n");
  }

  @Test
  void everyRouteIsToldWithItsProblems() {
    List<String> routes = new ArrayList<>();
    for (var path : paths.properties()) {
      for (var operation : path.getValue().properties()) {
        bodies(path.getKey(), operation.getValue());
        if (path.getKey().startsWith("/edge/")) {
          routes.add(path.getKey());
          problems(path.getKey(), operation.getValue());
        }
      }
    }
    assertThat(routes)
        .containsExactlyInAnyOrder(
            "/edge/assets/{pack}",
            "/edge/assets/{tilejson}",
            "/edge/assets/{pack}/{z}/{x}/{y}",
            "/edge/packs",
            "/edge/map/{pack}",
            "/edge/map/{pack}/style.json",
            "/edge/page/{file}",
            "/edge/fonts/{fonts}/{range}");
  }

  private static void bodies(String at, JsonNode operation) {
    for (var answer : operation.get("responses").properties()) {
      boolean none = List.of("204", "304").contains(answer.getKey());
      JsonNode content = answer.getValue().path("content");
      assertThat(content.isEmpty()).as(at + " " + answer.getKey()).isEqualTo(none);
      content.values().forEach(body -> assertThat(body.has("schema")).as(at).isTrue());
    }
  }

  private static void problems(String at, JsonNode operation) {
    int told = 0;
    for (var answer : operation.get("responses").properties()) {
      if (Integer.parseInt(answer.getKey()) >= PROBLEMS_FROM) {
        told++;
        JsonNode schema = answer.getValue().at("/content/application~1problem+json/schema");
        assertThat(schema.get("$ref").stringValue()).as(at).endsWith("/Problem");
      }
    }
    assertThat(told).as(at).isPositive();
  }

  @Test
  void whatIsAnsweredFitsTheSchema() throws Exception {
    fits("/edge/packs", "/edge/packs");
    fits("/edge/assets/{tilejson}", "/edge/assets/north.json");
    fits("/edge/map/{pack}/style.json", "/edge/map/north/style.json");
    fits("/edge/map/{pack}/style.json", "/edge/map/north/style.json?theme=dark");
  }

  /** To the byte: the list is compared by clients, and TileJSON's entity tag is its hash. */
  @Test
  void theFieldsComeInOneOrder() throws Exception {
    assertThat(rig.text("/edge/packs"))
        .matches(
            """
            \\{"packs":\\[\\{"pack":"north","title":"north","address":"b3:[0-9a-f]{64}","bytes":[0-9]+,\
            "format":"pmtiles","tiles":"mvt","zoom_min":0,"zoom_max":2,\
            "bounds":\\[1.0,1.0,170.0,80.0],"map":"/edge/map/north"}],\
            "refused":\\[\\{"file":"broken.pmtiles","code":"pack-unknown",\
            "detail":"the file does not begin with PMTiles"}]}\
            """);
    assertThat(rig.text("/edge/assets/north.json"))
        .isEqualTo(
            """
            {"tilejson":"3.0.0","name":"north","description":"","attribution":"","scheme":"xyz",\
            "tiles":["/edge/assets/north/{z}/{x}/{y}.mvt"],"minzoom":0,"maxzoom":2,\
            "bounds":[1.0,1.0,170.0,80.0],"center":[85.5,40.5,1],"format":"mvt",\
            "vector_layers":[{"id":"<b>roads</b>","description":"","minzoom":0,"maxzoom":31,\
            "fields":{"name":"String"}}]}\
            """);
  }

  private void fits(String path, String asked) throws Exception {
    HttpResponse<byte[]> answer = rig.get(asked);
    assertThat(answer.statusCode()).as(asked).isEqualTo(200);
    JsonNode schema =
        paths.get(path).get("get").at("/responses/200/content/application~1json/schema");
    assertThat(schema.path("properties").size()).as(path).isPositive();
    fits(path, schema, MAPPER.readTree(answer.body()));
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
      case "number" -> assertThat(value.isNumber()).as(at).isTrue();
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
      fits(name, known, field.getValue());
    }
  }
}
