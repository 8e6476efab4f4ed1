package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.supervise.DrainReport;
import dev.ron.testkit.NoThreadsLeft;
import dev.ron.testkit.RawClient;
import dev.ron.testkit.SeedRow;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An edge that ends while an upstream says nothing. */
@Timeout(60)
@ExtendWith(NoThreadsLeft.class)
class EdgeDrainTest {
  @TempDir private Path folder;

  @Test
  @SeedRow({"E07", "E86", "E87", "E90"})
  void aFillStopsWithTheRequestsItWorksForAndNoTaskIsAborted() throws Exception {
    try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Rig rig = Rig.before(folder, "http://127.0.0.1:" + silent.getLocalPort());
        RawClient client = new RawClient(rig.wired.door().port())) {
      silent.setSoTimeout(30_000);
      client.send("GET /tile HTTP/1.1\r\nHost: localhost\r\n\r\n");
      try (var _ = silent.accept()) {
        rig.tree.hasten();
        DrainReport report = rig.tree.drain();
        assertThat(client.answer()).startsWith("HTTP/1.1 503 ").contains("\"code\":\"draining\"");
        assertThat(report.requestsCut()).isEqualTo(1);
        assertThat(report.tasksAborted()).isZero();
        assertThat(report.itemsDropped()).isZero();
      }
    }
  }

  @Test
  @SeedRow({"E09", "E20", "E25", "E28", "E61", "E67", "E69"})
  void anEdgeThatDrainsAsksNoUpstreamAgain() throws Exception {
    var asked = new CountDownLatch(1);
    var draining = new CountDownLatch(1);
    FakeOrigin.Script busy =
        (_, _, out) -> {
          asked.countDown();
          draining.await(30, TimeUnit.SECONDS);
          out.write(FakeOrigin.bytes(503, "", "busy"));
        };
    try (var origin = new FakeOrigin(busy);
        Rig rig = Rig.before(folder, origin.url(), "fill.workers=3");
        RawClient client = new RawClient(rig.wired.door().port())) {
      client.send("GET /tile HTTP/1.1\r\nHost: localhost\r\n\r\n");
      asked.await();
      rig.scope.draining().subscribe(draining::countDown);
      DrainReport report = rig.tree.drain();
      assertThat(client.answer()).startsWith("HTTP/1.1 503 ").endsWith("busy");
      assertThat(origin.requests()).isEqualTo(1);
      assertThat(report.requestsCut()).isZero();
      assertThat(rig.metric("tasks_spawned_total{kind=\"worker\"}")).isEqualTo(3);
      assertThat(rig.metric("tasks_canceled_total{kind=\"worker\"}")).isEqualTo(3);
      assertThat(rig.metric("tasks_aborted_total{kind=\"worker\"}")).isZero();
    }
  }
}
