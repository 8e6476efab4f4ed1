package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections on which nothing happens cost a little memory and keep nobody waiting. */
final class IdleConnectionsTest {
  @Test
  void aFewHundredIdleConnectionsKeepNobodyWaiting() throws Exception {
    idle(300);
  }

  @Tag("long")
  @Test
  void tenThousandIdleConnectionsKeepNobodyWaiting() throws Exception {
    idle(10_000);
  }

  private static void idle(int count) throws Exception {
    try (Backend backend = new Backend();
        Rig rig =
            Rig.open(
                "max_connections=" + (count + 10),
                "idle_timeout=1m",
                Rig.route("", backend.port()))) {
      List<SocketChannel> idle = new ArrayList<>();
      try {
        for (int i = 0; i < count; i++) {
          // Several source addresses: one has not ports enough for all and the test's own.
          byte[] source = {127, 0, (byte) (1 + i / 5_000), 1};
          SocketChannel channel = SocketChannel.open();
          idle.add(channel);
          channel.bind(new InetSocketAddress(InetAddress.getByAddress(source), 0));
          channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), rig.port()));
        }
        assertThat(Rig.soon(() -> rig.metric("http_connections") >= count)).isTrue();
        for (int i = 0; i < 20; i++) {
          assertThat(rig.get("/x")).contains(" 200 ");
        }
        assertThat(rig.scope.readiness().ready()).isTrue();
      } finally {
        for (SocketChannel channel : idle) {
          channel.close();
        }
      }
      assertThat(Rig.soon(() -> rig.metric("http_connections") == 0)).isTrue();
      assertThat(Rig.soon(rig::isQuiet)).isTrue();
    }
  }
}
