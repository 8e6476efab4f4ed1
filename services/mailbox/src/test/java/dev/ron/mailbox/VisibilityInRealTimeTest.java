package dev.ron.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A lease ends in real time when it says.
 *
 * <p>The worst case is printed and not asserted: where other work takes the cores, it is the
 * system's scheduler's.
 */
final class VisibilityInRealTimeTest {
  private static final int ROUNDS = 40;

  @TempDir private Path folder;

  @Test
  @Tag("long")
  void aMessageComesBackWithinFiftyMillisecondsOfItsTime() throws Exception {
    var late = new ArrayList<Double>();
    try (Rig rig = Rig.open(folder, "max_attempts=1000")) {
      rig.send("t", "k");
      String take = "{\"topic\":\"t\",\"visibility_ms\":250,\"wait_ms\":5000}";
      rig.post("/v1/recv", take);
      for (int i = 0; i < ROUNDS; i++) {
        assertThat(rig.post("/v1/recv", take)).contains("msg_id");
        late.add(lateness(rig));
      }
    }
    List<Double> sorted = late.stream().sorted().toList();
    System.out.printf(
        "lease expiry noticed late, worst of %d: %.1f ms%n", ROUNDS, sorted.getLast());
    assertThat(sorted.getFirst()).as("never early").isGreaterThanOrEqualTo(0.0);
    assertThat(sorted.get(ROUNDS * 3 / 4)).as("three quarters of %s", sorted).isLessThan(50.0);
  }

  /** As the shard itself measured it: the time it noticed, less the time it was due. */
  private static double lateness(Rig rig) {
    return rig.scope
        .metrics()
        .text()
        .lines()
        .filter(line -> line.startsWith("scanner_wake_jitter_ms{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .max()
        .orElseThrow();
  }
}
