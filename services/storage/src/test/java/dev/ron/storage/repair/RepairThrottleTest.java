package dev.ron.storage.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.object.PermitQueue;
import dev.ron.storage.object.Permits;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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
        pace.paced(
            TenantTable.REPAIR, new ByteArrayInputStream(new byte[65_536]), 65_536, 65_536, 6)) {
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

  @Test
  void aKindOfWorkIsHeldToItsOwnRateToo() throws Exception {
    var table =
        new TenantTable(
            List.of(
                new TenantTerms(
                    TenantTable.TIER, 1, Map.of(TenantLimit.BYTES_OUT_PER_SECOND, 128L << 10)),
                new TenantTerms(
                    TenantTable.DEFAULT, 1, Map.of(TenantLimit.BYTES_OUT_PER_SECOND, 1L))));
    pace.among(new Permits(scope, "get", 2, new PermitQueue(scope, "work", 2)), () -> table);
    assertThat(millis(TenantTable.TIER)).as("256 KiB at 128 KiB a second").isGreaterThan(900);
    for (String other : List.of(TenantTable.REPAIR, TenantTable.REBALANCE)) {
      assertThat(millis(other)).as(other + " is not bounded by another's").isLessThan(900);
    }
  }

  private long millis(String tenant) throws Exception {
    int size = 256 << 10;
    Instant begun = scope.time().now();
    try (InputStream in = pace.paced(tenant, new ByteArrayInputStream(new byte[size]), size)) {
      assertThat(in.readAllBytes()).hasSize(size);
    }
    return Duration.between(begun, scope.time().now()).toMillis();
  }
}
