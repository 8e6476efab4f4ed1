package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.metric.Payer;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the edge charges, against what its client got and its origin gave. */
@Timeout(60)
class EdgeUsageTest {
  @TempDir private Path folder;

  private static long units(Rig rig, Meter.Unit unit) {
    return rig.ledger.units(Payer.ANONYMOUS, unit);
  }

  @Test
  void aFillIsPaidOnceAndEachHitByItself() throws Exception {
    String body = "x".repeat(1234);
    try (FakeOrigin origin = FakeOrigin.answering("Cache-Control: max-age=600", body);
        Rig edge = Rig.before(folder, origin.url())) {
      assertThat(edge.get("/a").body()).isEqualTo(body);
      await(edge, Meter.Unit.REQUESTS, 1);
      await(edge, Meter.Unit.FILL_BYTES, 1234);
      assertThat(units(edge, Meter.Unit.CACHE_HITS)).isZero();
      for (int i = 0; i < 3; i++) {
        assertThat(edge.get("/a").body()).isEqualTo(body);
      }
      await(edge, Meter.Unit.REQUESTS, 4);
      assertThat(origin.requests()).isEqualTo(1);
      assertThat(units(edge, Meter.Unit.FILL_BYTES)).isEqualTo(1234);
      assertThat(units(edge, Meter.Unit.CACHE_HITS)).isEqualTo(3);
      assertThat(units(edge, Meter.Unit.BYTES_OUT)).isEqualTo(4 * 1234);
    }
  }

  /** Counts are made when an answer is out, and a fill when its last byte is kept. */
  private static void await(Rig edge, Meter.Unit unit, long count) {
    long end = System.nanoTime() + 30_000_000_000L;
    while (units(edge, unit) < count && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(units(edge, unit)).as(unit.word()).isEqualTo(count);
  }
}
