package dev.ron.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.supervise.DrainReport;
import dev.ron.testkit.SeedRow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a drain does to receivers that wait, and to what was acknowledged before it. */
@Timeout(60)
final class MailboxDrainTest {
  @TempDir private Path folder;

  @Test
  @SeedRow({"M06", "M07", "M09", "M52", "M53", "M63", "M69", "M89"})
  void aLongPollIsAnsweredAndEveryTaskHasItsTime() throws Exception {
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      Rig rig = Rig.open(folder, "flush=interval", "flush_interval=1m");
      for (int i = 0; i < 5; i++) {
        assertThat(rig.send("t", "k" + i)).startsWith("200 ");
      }
      String wait = "{\"topic\":\"empty\",\"wait_ms\":50000}";
      Future<String> poll = clients.submit(() -> rig.post("/v1/recv", wait));
      Future<String> stream = clients.submit(() -> rig.post("/v1/recv/stream", wait("empty")));
      Rig.eventually(
          "both wait",
          () ->
              rig.metric("inflight_requests{route=\"/v1/recv\"}") == 1
                  && rig.metric("inflight_requests{route=\"/v1/recv/stream\"}") == 1);
      long begun = System.nanoTime();
      DrainReport report = rig.tree.drain();
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(3));
      assertThat(report.clean()).as(report.toString()).isTrue();
      assertThat(poll.get(20, TimeUnit.SECONDS)).isEqualTo("200 {\"messages\":[]}");
      assertThat(stream.get(20, TimeUnit.SECONDS)).startsWith("200 ");
      assertThat(rig.metric("tasks_spawned_total{kind=\"shard\"}")).isEqualTo(8);
      assertThat(rig.metric("tasks_canceled_total{kind=\"shard\"}")).isEqualTo(8);
      assertThat(rig.metric("tasks_aborted_total{kind=\"shard\"}")).isZero();
    }
    try (Rig rig = Rig.open(folder)) {
      String received = rig.post("/v1/recv", "{\"topic\":\"t\",\"max_messages\":10}");
      assertThat(received.split("msg_id", -1)).as("flushed at the end").hasSize(6);
    }
  }

  private static String wait(String topic) {
    return "{\"topic\":\"" + topic + "\"}";
  }
}
