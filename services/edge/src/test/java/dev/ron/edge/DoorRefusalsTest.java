package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.server.Limits;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the door refuses is counted under the edge's own names for it. */
final class DoorRefusalsTest {
  private static final int BODY_BYTES_MAX = 10;
  private static final int REQUESTS_PER_SECOND = 1;

  @TempDir private Path folder;

  @Test
  void aBodyOverTheCapAndARequestOverTheRateAreCounted() throws Exception {
    var limits = new Limits(64, 16 * 1024, 100, BODY_BYTES_MAX, 64, REQUESTS_PER_SECOND);
    try (var origin = FakeOrigin.answering("", "taken");
        Rig rig = Rig.before(limits, folder, origin.url());
        var client = HttpClient.newHttpClient()) {
      HttpRequest large =
          HttpRequest.newBuilder(rig.uri("/x"))
              .PUT(BodyPublishers.ofString("more than ten bytes"))
              .build();
      assertThat(client.send(large, BodyHandlers.ofString()).statusCode()).isEqualTo(413);
      assertThat(rig.metric("edge_rejects_total{reason=\"body_cap\"}")).isEqualTo(1);
      int status = 0;
      for (int i = 0; i < 100 && status != 429; i++) {
        status = rig.get("/x").statusCode();
      }
      assertThat(status).isEqualTo(429);
      assertThat(rig.metric("edge_rejects_total{reason=\"rate_limit\"}")).isEqualTo(1);
    }
  }
}
