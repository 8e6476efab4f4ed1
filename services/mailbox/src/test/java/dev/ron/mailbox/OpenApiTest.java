package dev.ron.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The document shows the forms that bodies are read by. */
@Timeout(120)
final class OpenApiTest {
  @TempDir private Path folder;

  @Test
  void everyFormIsShownWithItsFields() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      String document = rig.get("/openapi.json");
      assertThat(document).startsWith("200 ");
      JsonNode paths = JsonMapper.shared().readTree(document.substring(4)).get("paths");
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
              "/v1/dlq/reprocess topic reason limit per_second");
    }
  }
}
