package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.SeedRow;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings that change in a running edge, as one value. */
final class ReloadTest {
  private static final String[] BEFORE = {"mode=live", "fill.retry_base=1ms", "fill.retry_max=1ms"};

  private static final String[] AFTER = {
    "mode=offline",
    "audit=true",
    "ingress.rps_limit=7",
    "fill.tries=1",
    "fill.retry_base=2ms",
    "fill.retry_max=3ms",
    "fill.jitter=false"
  };

  @TempDir private Path folder;

  @Test
  void whatNeedsARestartStaysAsItWas() {
    EdgeConfig before = Rig.config(folder, List.of(), BEFORE);
    var more = new String[AFTER.length + 2];
    System.arraycopy(AFTER, 0, more, 0, AFTER.length);
    more[AFTER.length] = "fill.workers=3";
    more[AFTER.length + 1] = "ingress.max_inflight=3";
    assertThat(before.taking(Rig.config(folder.resolve("other"), List.of(), more)))
        .isEqualTo(Rig.config(folder, List.of(), AFTER));
  }

  @Test
  @SeedRow("E30")
  void whatChangesHoldsFromTheNextRequestOn() throws Exception {
    FakeOrigin.Script busy = (_, _, out) -> out.write(FakeOrigin.bytes(503, "", "busy"));
    try (var origin = new FakeOrigin(busy);
        Rig rig = Rig.before(folder, origin.url(), BEFORE)) {
      assertThat(rig.get("/a").statusCode()).isEqualTo(503);
      assertThat(origin.requests()).as("tries").isEqualTo(3);
      rig.reload("mode=live", "fill.tries=1");
      assertThat(rig.get("/b").statusCode()).isEqualTo(503);
      assertThat(origin.requests()).as("one try more").isEqualTo(4);
      rig.reload("mode=offline");
      assertThat(rig.get("/c").body()).contains("offline");
      assertThat(origin.requests()).as("nothing is asked").isEqualTo(4);
      rig.reload("mode=offline", "ingress.rps_limit=1");
      int status = 0;
      for (int i = 0; i < 100 && status != 429; i++) {
        status = rig.get("/d").statusCode();
      }
      assertThat(status).isEqualTo(429);
      rig.reload("mode=offline");
      assertThat(rig.get("/d").statusCode()).as("without a cap").isNotEqualTo(429);
    }
  }
}
