package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.ChildJvm;
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
      try (ChildJvm holder =
          ChildJvm.start(IdleMain.class, Integer.toString(rig.port()), Integer.toString(count))) {
        assertThat(holder.line()).isEqualTo(Integer.toString(count));
        assertThat(Rig.soon(() -> rig.metric("http_connections") >= count)).isTrue();
        for (int i = 0; i < 20; i++) {
          assertThat(rig.get("/x")).contains(" 200 ");
        }
        assertThat(rig.scope.readiness().ready()).isTrue();
      }
      assertThat(Rig.soon(() -> rig.metric("http_connections") == 0)).isTrue();
      assertThat(Rig.soon(rig::isQuiet)).isTrue();
    }
  }
}
