package dev.ron.kernel.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TenantBudgetsTest {
  private static final Duration MOMENT = Duration.ofNanos(1);

  private final VirtualTime time = new VirtualTime();
  private TenantTable table = TenantTable.NONE;
  private final TenantBudgets budgets = new TenantBudgets(time, () -> table);

  private void limit(TenantLimit limit, long value) {
    table = new TenantTable(List.of(new TenantTerms("acme", 1, Map.of(limit, value))));
  }

  private @Nullable TenantFault come(long bytes) {
    return budgets.of("acme").admit(bytes, false);
  }

  /** One moment before the time that was told it is refused with that moment, at it admitted. */
  private void admittedExactlyAfter(TenantFault fault, long bytes) {
    Duration rest = fault.retryAfter().orElseThrow();
    time.advance(rest.minus(MOMENT));
    TenantFault still = come(bytes);
    assertThat(still).isInstanceOf(TenantFault.OverRate.class);
    assertThat(still.retryAfter()).hasValue(MOMENT);
    time.advance(MOMENT);
    assertThat(come(bytes)).isNull();
  }

  @ParameterizedTest(name = "{0} = {1}, bodies of {2}")
  @CsvSource({
    "REQUESTS_PER_SECOND, 1, 0",
    "REQUESTS_PER_SECOND, 7, 100",
    "REQUESTS_PER_SECOND, 500, 0",
    "BYTES_IN_PER_SECOND, 1000, 300",
    "BYTES_IN_PER_SECOND, 1000, 1000",
    "BYTES_IN_PER_SECOND, 1000, 5000",
    "BYTES_IN_PER_SECOND, 4294967296, 3000000001",
  })
  void whatIsToldIsExact(TenantLimit limit, long value, long bytes) {
    limit(limit, value);
    for (int round = 0; round < 20; round++) {
      TenantFault fault = come(bytes);
      for (int i = 0; fault == null && i < 1000; i++) {
        fault = come(bytes);
      }
      admittedExactlyAfter(fault, bytes);
    }
  }

  @Test
  void bytesOutAreOwedOnceTheyAreKnown() {
    limit(TenantLimit.BYTES_OUT_PER_SECOND, 1000);
    TenantVisit visit = budgets.of("acme");
    assertThat(visit.admit(0, false)).isNull();
    visit.sent(3500);
    TenantFault fault = come(0);
    assertThat(fault.retryAfter()).hasValue(Duration.ofMillis(2501)); // until one byte is there
    admittedExactlyAfter(fault, 0);
  }

  @Test
  void aRefusedRequestIsChargedToNoRate() {
    table =
        new TenantTable(
            List.of(
                new TenantTerms("acme", 1, Map.of())
                    .with(TenantLimit.REQUESTS_PER_SECOND, 2)
                    .with(TenantLimit.BYTES_IN_PER_SECOND, 100)));
    assertThat(come(100)).isNull();
    for (int i = 0; i < 50; i++) {
      assertThat(come(100).limit()).isEqualTo(TenantLimit.BYTES_IN_PER_SECOND);
    }
    assertThat(come(0)).as("its second request").isNull();
    assertThat(come(0).limit()).isEqualTo(TenantLimit.REQUESTS_PER_SECOND);
  }

  @Test
  void bytesThatWereAnnouncedAndDidNotComeAreGivenBack() {
    limit(TenantLimit.BYTES_IN_PER_SECOND, 100);
    TenantVisit visit = budgets.of("acme");
    assertThat(visit.admit(100, false)).isNull();
    visit.received(30);
    visit.leave();
    visit.leave();
    assertThat(come(70)).isNull();
    assertThat(come(1)).isNotNull();
  }

  @Test
  void bytesThatWereNotAnnouncedAreOwed() {
    limit(TenantLimit.BYTES_IN_PER_SECOND, 100);
    TenantVisit visit = budgets.of("acme");
    assertThat(visit.admit(0, false)).isNull();
    visit.received(150);
    visit.received(50);
    visit.leave();
    assertThat(come(1).retryAfter()).hasValue(Duration.ofMillis(1010));
  }

  @Test
  void placesComeBackWhenRequestsLeave() {
    limit(TenantLimit.IN_FLIGHT, 2);
    TenantVisit first = budgets.of("acme");
    assertThat(first.admit(0, false)).isNull();
    assertThat(come(0)).isNull();
    assertThat(come(0)).isEqualTo(new TenantFault.OverCount("acme", TenantLimit.IN_FLIGHT, 2));
    first.leave();
    assertThat(come(0)).isNull();
  }

  @Test
  void connectionsAreCountedOnceAndUntilTheyClose() {
    limit(TenantLimit.CONNECTIONS, 1);
    TenantVisit first = budgets.of("acme");
    assertThat(first.admit(0, true)).isNull();
    assertThat(budgets.of("acme").admit(0, false)).as("on the same connection").isNull();
    assertThat(budgets.of("acme").admit(0, true).limit()).isEqualTo(TenantLimit.CONNECTIONS);
    first.connectionClosed();
    assertThat(budgets.of("acme").admit(0, true)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"REQUESTS_PER_SECOND", "IN_FLIGHT", "BYTES_OUT_PER_SECOND"})
  void zeroTakesNothingAndPromisesNothing(TenantLimit limit) {
    limit(limit, 0);
    TenantFault fault = come(10);
    assertThat(fault).isEqualTo(new TenantFault.Barred("acme", limit));
    assertThat(fault.retryAfter()).isEmpty();
  }

  @Test
  void aTenantThatMaySendNoBytesMayStillAsk() {
    limit(TenantLimit.BYTES_IN_PER_SECOND, 0);
    assertThat(come(0)).isNull();
    assertThat(come(1)).isInstanceOf(TenantFault.Barred.class);
  }

  @Test
  void aReloadHoldsAtOnceAndHandsOutNothing() {
    limit(TenantLimit.REQUESTS_PER_SECOND, 10);
    for (int i = 0; i < 10; i++) {
      assertThat(come(0)).isNull();
    }
    limit(TenantLimit.REQUESTS_PER_SECOND, 10);
    assertThat(come(0)).as("the same again").isNotNull();
    limit(TenantLimit.REQUESTS_PER_SECOND, 100);
    assertThat(come(0).retryAfter()).hasValue(Duration.ofMillis(10));
    table = TenantTable.NONE;
    assertThat(come(0)).isNull();
  }

  @Test
  void tenantsThatAreNotListedHaveTheDefaultEachForItself() {
    table =
        new TenantTable(
            List.of(
                new TenantTerms("default", 3, Map.of(TenantLimit.REQUESTS_PER_SECOND, 1L)),
                new TenantTerms("acme", 5, Map.of())));
    assertThat(budgets.of("x").admit(0, false)).isNull();
    assertThat(budgets.of("x").admit(0, false).tenant()).isEqualTo("x");
    assertThat(budgets.of("y").admit(0, false)).isNull();
    assertThat(come(0)).isNull();
    assertThat(come(0)).isNull();
    assertThat(table.weight("x")).isEqualTo(3);
    assertThat(table.weight("acme")).isEqualTo(5);
    assertThat(TenantTable.NONE.weight("x")).isEqualTo(1);
  }

  @Test
  void theOperatorHasTermsOfItsOwnAndNeverThoseOfDefault() {
    Map<TenantLimit, Long> none = Map.of(TenantLimit.REQUESTS_PER_SECOND, 0L);
    table = new TenantTable(List.of(new TenantTerms("default", 3, none)));
    assertThat(budgets.of("operator").admit(0, false)).isNull();
    assertThat(table.weight("operator")).isEqualTo(1);
    table = new TenantTable(List.of(new TenantTerms("operator", 7, none)));
    assertThat(budgets.of("operator").admit(0, false)).isInstanceOf(TenantFault.Barred.class);
    assertThat(table.weight("operator")).isEqualTo(7);
  }

  @Test
  void whatIsUsedNowIsToldOfEveryLimitOfADoor() {
    limit(TenantLimit.REQUESTS_PER_SECOND, 10);
    assertThat(budgets.use("acme", TenantLimit.REQUESTS_PER_SECOND)).isZero();
    TenantVisit visit = budgets.of("acme");
    assertThat(visit.admit(0, true)).isNull();
    assertThat(budgets.use("acme", TenantLimit.REQUESTS_PER_SECOND)).isEqualTo(1);
    assertThat(budgets.use("acme", TenantLimit.IN_FLIGHT)).isEqualTo(1);
    assertThat(budgets.use("acme", TenantLimit.CONNECTIONS)).isEqualTo(1);
    assertThat(budgets.use("acme", TenantLimit.STORED)).isZero();
    assertThat(budgets.use("other", TenantLimit.IN_FLIGHT)).isZero();
    visit.leave();
    visit.connectionClosed();
    time.advance(Duration.ofMillis(100));
    for (TenantLimit each : TenantLimit.AT_DOORS) {
      assertThat(budgets.use("acme", each)).as(each.word()).isZero();
    }
    limit(TenantLimit.BYTES_OUT_PER_SECOND, 10);
    assertThat(come(0)).isNull();
    budgets.of("acme").sent(25);
    assertThat(budgets.use("acme", TenantLimit.BYTES_OUT_PER_SECOND)).as("owed").isEqualTo(25);
  }

  @Test
  void itRemembersABoundedNumberOfTenants() {
    limit(TenantLimit.REQUESTS_PER_SECOND, 1);
    for (int i = 0; i < 3 * TenantBudgets.TENANTS_MAX; i++) {
      TenantVisit visit = budgets.of("t" + i);
      visit.admit(0, false);
      visit.leave();
    }
    assertThat(budgets.count()).isLessThanOrEqualTo(TenantBudgets.TENANTS_MAX + 1);
  }

  @ParameterizedTest
  @CsvSource({"0, weight", "1001, weight", "-1, weight"})
  void aWeightHasBounds(int weight, String named) {
    assertThatThrownBy(() -> new TenantTerms("acme", weight, Map.of()))
        .hasMessageContaining(named + " = " + weight);
  }

  @Test
  void aTenantIsListedOnce() {
    var acme = new TenantTerms("acme", 1, Map.of());
    assertThatThrownBy(() -> new TenantTable(List.of(acme, acme)))
        .hasMessageContaining("\"acme\" is listed twice");
  }
}
