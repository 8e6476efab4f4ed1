package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.supervise.DrainReport;
import dev.ron.testkit.NoThreadsLeft;
import dev.ron.testkit.RawClient;
import dev.ron.testkit.SeedRow;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a gateway that ends says to those who wait in it or through it. */
@Timeout(60)
@ExtendWith(NoThreadsLeft.class)
class GatewayDrainTest {
  private static final String WORK = "GET /work HTTP/1.1\r\nHost: a\r\n\r\n";

  @Test
  @SeedRow({"G06", "G07", "G09", "G19", "G32", "G56", "G61", "G63", "G78"})
  void aRequestAtASilentUpstreamAndOneThatWaitsForItsPlaceAreToldDraining() throws Exception {
    try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Rig rig = Rig.open("drr.workers=3", Rig.route("max_concurrent=1", silent.getLocalPort()));
        RawClient first = rig.connect();
        RawClient second = rig.connect()) {
      first.send(WORK);
      second.send(WORK);
      assertThat(Rig.soon(() -> rig.metric("inflight_requests{route=\"/{path...}\"}") == 2))
          .isTrue();
      assertThat(Rig.soon(() -> rig.metric("queue_depth{queue=\"lines\"}") == 1)).isTrue();
      rig.tree.hasten();
      DrainReport report = rig.drain();
      for (RawClient each : new RawClient[] {first, second}) {
        assertThat(each.answer())
            .startsWith("HTTP/1.1 503 ")
            .contains("\"code\":\"draining\"", "Retry-After: ", "Connection: close");
      }
      assertThat(report.requestsCut()).isEqualTo(2);
      assertThat(report.tasksAborted()).isZero();
      assertThat(rig.metric("rejected_total{reason=\"degraded\"}")).isZero();
      assertThat(rig.metric("queue_depth{queue=\"lines\"}")).isZero();
      assertThat(rig.metric("tasks_spawned_total{kind=\"worker\"}")).isEqualTo(3);
      assertThat(rig.metric("tasks_canceled_total{kind=\"worker\"}")).isEqualTo(3);
      assertThat(rig.metric("tasks_aborted_total{kind=\"worker\"}")).isZero();
    }
  }

  @Test
  @SeedRow({"G12", "G82"})
  void aWebSocketIsClosed() throws Exception {
    try (RawUpstream upstream =
            new RawUpstream(
                (in, socket) -> {
                  RawUpstream.head(in);
                  RawUpstream.say(
                      socket,
                      RawClient.http(
                          "HTTP/1.1 101 Switching Protocols",
                          "Upgrade: websocket",
                          "Connection: Upgrade",
                          "",
                          "!"));
                  while (in.read() >= 0) {
                    // says nothing more
                  }
                });
        Rig rig = Rig.open(Rig.route("", upstream.port()));
        RawClient client = rig.connect()) {
      client.send(
          RawClient.http(
              "GET /ws HTTP/1.1",
              "Host: a",
              "Upgrade: websocket",
              "Connection: Upgrade",
              "Sec-WebSocket-Key: k",
              "",
              ""));
      assertThat(client.head()).contains(" 101 ");
      assertThat(client.socket().getInputStream().read()).as("it is open").isEqualTo('!');
      DrainReport report = rig.drain();
      assertThat(client.rest()).isIn("", "<reset>");
      assertThat(report.clean()).isTrue();
      assertThat(report.waitsTold()).isEqualTo(1);
    }
  }
}
