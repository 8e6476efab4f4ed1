package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.server.Limits;
import dev.ron.testkit.SeedRow;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the door refuses is counted under the edge's own names for it. */
final class DoorRefusalsTest {
  private static final int BODY_BYTES_MAX = 10;
  private static final int REQUESTS_PER_SECOND = 1;
  private static final int WORK = 512;

  @TempDir private Path folder;

  @Test
  @SeedRow({"E15", "E72f"})
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

  @Test
  @SeedRow({"E10", "E23", "E47", "E59", "E66", "E73", "E85"})
  void aFullWorkQueueIsCountedAsBusy() throws Exception {
    var release = new CountDownLatch(1);
    FakeOrigin.Script held =
        (_, _, out) -> {
          release.await();
          out.write(FakeOrigin.bytes(200, "", "at last"));
        };
    try (var origin = new FakeOrigin(held);
        Rig rig = Rig.before(Rig.CROWDED, folder, origin.url(), "fill.workers=1");
        var client = HttpClient.newHttpClient()) {
      var asked = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < WORK + 20; i++) {
        var request = HttpRequest.newBuilder(rig.uri("/miss/" + i)).build();
        asked.add(client.sendAsync(request, BodyHandlers.ofString()));
      }
      HttpResponse<?> refused =
          (HttpResponse<?>)
              CompletableFuture.anyOf(asked.toArray(CompletableFuture[]::new))
                  .get(30, TimeUnit.SECONDS);
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(rig.metric("busy_rejections_total{endpoint=\"/{path...}\"}")).isPositive();
      release.countDown();
    }
  }
}
