package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.Golden;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The document has the gateway's own routes; what it passes on, its upstreams tell of. */
@Timeout(60)
final class OpenApiTest {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  @Test
  void theDocumentIsThePageThatIsKept() throws Exception {
    try (Rig rig = Rig.open()) {
      String page = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document(rig));
      Golden.matches("docs/openapi/gateway.json", page + "\n");
    }
  }

  @Test
  void everyBodyHasASchema() throws Exception {
    try (Rig rig = Rig.open()) {
      JsonNode paths = document(rig).get("paths");
      assertThat(paths.propertyNames())
          .containsExactlyInAnyOrder("/healthz", "/readyz", "/metrics", "/version");
      for (var path : paths.properties()) {
        for (var answer : path.getValue().at("/get/responses").properties()) {
          String at = path.getKey() + " " + answer.getKey();
          JsonNode content = answer.getValue().get("content");
          assertThat(content.size()).as(at).isOne();
          assertThat(content.values().iterator().next().get("schema").isEmpty()).as(at).isFalse();
        }
      }
    }
  }

  private static JsonNode document(Rig rig) throws Exception {
    String answer = rig.get("/openapi.json");
    assertThat(answer).contains(" 200 ");
    return MAPPER.readTree(answer.substring(answer.indexOf("\r\n\r\n")));
  }
}
