package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.SeedRow;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An upstream's name may not lead to this machine's own networks. */
final class AddressTest {
  /** Reserved for documentation: public by its number, and nobody's. */
  private static final String PUBLIC = "203.0.113.1";

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "::1",
        "fe80::1",
        "fd00::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1"
      })
  void aNameThatMeansAPrivateAddressIsRefused(String address) throws Exception {
    String name = "private.test";
    TurningNames.turn(name, List.of(List.of(address)));
    try (var origin = FakeOrigin.answering("", "secret");
        Rig rig = Rig.beforeName(folder, url(name, origin))) {
      HttpResponse<String> refused = rig.get("/x");
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(403);
      assertThat(refused.body()).contains("\"code\":\"not-allowed\"");
      assertThat(rig.metric("edge_rejects_total{reason=\"not_allowed\"}")).isEqualTo(1);
      assertThat(origin.requests()).isZero();
    }
  }

  @Test
  void aNameThatTurnsIsCheckedEachTimeAndNothingElseIsDialled() throws Exception {
    String name = "turning.test";
    TurningNames.turn(name, List.of(List.of(PUBLIC), List.of("127.0.0.1")));
    try (var origin = FakeOrigin.answering("", "secret");
        Rig rig =
            Rig.beforeName(
                folder, url(name, origin), "fill.timeout=500ms", "fill.limit=1s", "fill.tries=1")) {
      assertThat(rig.get("/x").statusCode()).as("nobody is there").isIn(502, 504);
      assertThat(rig.get("/x").statusCode()).as("it has turned").isEqualTo(403);
      assertThat(TurningNames.asked(name)).isEqualTo(2);
      assertThat(origin.requests()).isZero();
    }
  }

  @Test
  @SeedRow("E16")
  void aPrivateAddressAmongPublicOnesIsNeverChosen() throws Exception {
    String name = "mixed.test";
    TurningNames.turn(name, List.of(List.of("127.0.0.1", PUBLIC)));
    try (var origin = FakeOrigin.answering("", "secret");
        Rig rig =
            Rig.beforeName(
                folder, url(name, origin), "fill.timeout=500ms", "fill.limit=1s", "fill.tries=1")) {
      assertThat(rig.get("/x").statusCode()).isIn(502, 504);
      assertThat(origin.requests()).isZero();
    }
  }

  private static String url(String name, FakeOrigin origin) {
    return "http://" + name + ":" + URI.create(origin.url()).getPort();
  }
}
