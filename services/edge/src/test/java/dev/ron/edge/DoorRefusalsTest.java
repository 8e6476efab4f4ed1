package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.RawClient;
import dev.ron.testkit.SeedRow;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the door refuses is counted under the edge's own names for it. */
final class DoorRefusalsTest {
  private static final int PLACES = 4;

  @TempDir private Path folder;

  @Test
  @SeedRow({"E15", "E72f"})
  void aBodyOverTheCapAndARequestOverTheRateAreCounted() throws Exception {
    try (var origin = FakeOrigin.answering("", "taken");
        Rig rig =
            Rig.before(folder, origin.url(), "ingress.body_bytes=10B", "ingress.rps_limit=1");
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

  @Test
  @SeedRow({"E10", "E23", "E24", "E47", "E59", "E66", "E73", "E85"})
  void aFullWorkQueueIsCountedAsBusy() throws Exception {
    var release = new CountDownLatch(1);
    FakeOrigin.Script held =
        (_, _, out) -> {
          release.await();
          out.write(FakeOrigin.bytes(200, "", "at last"));
        };
    try (var origin = new FakeOrigin(held);
        Rig rig =
            Rig.before(
                "/edge/assets",
                folder,
                origin.url(),
                List.of(),
                "fill.workers=1",
                "fill.queue=" + PLACES)) {
      int refused = 0;
      for (int i = 0; refused < 3; i++) {
        assertThat(i).as("one runs, %d wait, three are refused", PLACES).isLessThan(1000);
        var answer = rig.get("/edge/assets/miss/" + i, "Prefer", "respond-async");
        assertThat(answer.statusCode()).isIn(202, 429);
        if (answer.statusCode() == 429) {
          assertThat(answer.headers().firstValue("Retry-After")).contains("1");
          refused++;
        }
      }
      assertThat(rig.metric("busy_rejections_total{endpoint=\"/edge/assets\"}")).isEqualTo(3);
      release.countDown();
      rig.awaitIdle();
    }
  }

  @Test
  @SeedRow({"E35", "E70"})
  void aHeadThatStopsIsCutAtTheIngressTimeout() throws Exception {
    try (var origin = FakeOrigin.answering("", "taken");
        Rig rig = Rig.before(folder, origin.url(), "ingress.timeout=300ms");
        var client = new RawClient(rig.wired.door().port())) {
      client.send("GET /x HTTP/1.1\r\nHost: loc");
      assertThat(client.answer()).startsWith("HTTP/1.1 408 ");
      assertThat(rig.metric("io_timeouts_total{op=\"read\"}")).isEqualTo(1);
    }
  }
}
