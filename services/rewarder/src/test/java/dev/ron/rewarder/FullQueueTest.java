package dev.ron.rewarder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Tree;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A door behind which the scheduler stands still: {@code work_req} fills, and that is said. */
@Timeout(120)
final class FullQueueTest {
  private static final int QUEUE_MAX = 512;
  private static final String ADDRESS = "b3:" + "0".repeat(64);

  @TempDir private Path folder;

  @Test
  void aFullQueueIsTold() throws Exception {
    var scope = Scope.of("rewarder", World.real(Log.silent()));
    var wired =
        RewarderService.wire(Rig.config(folder, Map.of()), scope, Limits.OPEN, List.of(), null);
    Tree door = Supervisor.named("rewarder").door("http", wired.door()).start(scope);
    try (var client = HttpClient.newHttpClient();
        var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      URI compute =
          URI.create(
              "http://127.0.0.1:%d/rewarder/epochs/e/compute".formatted(wired.door().port()));
      var request =
          HttpRequest.newBuilder(compute)
              .header("Request-Timeout", "200ms")
              .POST(HttpRequest.BodyPublishers.ofString(Rig.body(ADDRESS, ADDRESS, ADDRESS, false)))
              .build();
      var waiting = new ArrayList<Future<HttpResponse<String>>>();
      for (int i = 0; i < QUEUE_MAX; i++) {
        waiting.add(
            callers.submit(() -> client.send(request, HttpResponse.BodyHandlers.ofString())));
      }
      for (Future<HttpResponse<String>> each : waiting) {
        assertThat(each.get().statusCode()).isEqualTo(504);
        assertThat(each.get().body()).contains("\"timeout\"");
      }
      HttpResponse<String> refused = client.send(request, HttpResponse.BodyHandlers.ofString());
      for (int i = 0; i < QUEUE_MAX && refused.statusCode() == 504; i++) {
        // On a busy machine the time of some was up before they were queued.
        refused = client.send(request, HttpResponse.BodyHandlers.ofString());
      }
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.body()).contains("\"busy\"", "work_req is full at 512");
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
      assertThat(scope.metrics().text())
          .contains("busy_rejections_total{endpoint=\"/rewarder/epochs/{epoch}/compute\"} 1.0");
    } finally {
      door.drain();
    }
  }
}
