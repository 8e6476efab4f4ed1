package dev.ron.storage.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.log.Log;
import dev.ron.storage.StorageMetrics;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The budget as its users meet it. */
@Timeout(30)
final class RepairThrottleTest {
  private static final int FULL = 64 << 20;

  private final Scope scope = Scope.of("storage", World.real(Log.silent()));
  private final RepairThrottle pace =
      new RepairThrottle(
          scope.time(), FULL, Watch.of(scope, "shutdown", false), StorageMetrics.in(scope));

  @Test
  void aStreamCostsItsBytesAndNotMuchMore() throws Exception {
    for (int size : new int[] {0, 1, 4096, 65_536, 65_537, 200_000}) {
      long before = pace.movedBytes();
      try (InputStream in = pace.paced(new ByteArrayInputStream(new byte[size]), size)) {
        assertThat(in.readAllBytes()).hasSize(size);
      }
      assertThat(pace.movedBytes() - before).isBetween((long) size, size + 4096L);
    }
  }

  @Test
  void aStreamThatIsLongerThanItWasSaidToBeIsPaidForToo() throws Exception {
    try (InputStream in = pace.paced(new ByteArrayInputStream(new byte[200_000]), 10)) {
      assertThat(in.readAllBytes()).hasSize(200_000);
    }
    assertThat(pace.movedBytes()).isGreaterThanOrEqualTo(200_000);
  }

  @Test
  void whatIsComputedFromSixCostsSixTimes() throws Exception {
    try (InputStream in =
        pace.paced(new ByteArrayInputStream(new byte[65_536]), 65_536, 65_536, 6)) {
      in.readAllBytes();
    }
    assertThat(pace.movedBytes()).isEqualTo(6 * 65_536);
  }

  @Test
  void theFirstReadAfterAPauseSlowsRepairAtOnce() {
    assertThat(pace.budget().share()).isEqualTo(1);
    pace.foreground(Duration.ofMillis(1));
    assertThat(pace.budget().share()).isEqualTo(1.0 / 16);
  }

  @Test
  void whatOthersLeaveIsNotExceeded() throws Exception {
    pace.others(() -> 1.0 / 256);
    Instant begun = scope.time().now();
    pace.take(512 << 10);
    assertThat(Duration.between(begun, scope.time().now()))
        .as("half a megabyte at a quarter of one a second")
        .isGreaterThan(Duration.ofSeconds(1));
  }

  @Test
  void repairGoesBetweenReadersButDoesNotWaitForEver() throws Exception {
    try (RepairThrottle.Reader _ = pace.reader()) {
      pace.afterReaders();
    }
    pace.afterReaders();
  }
}
