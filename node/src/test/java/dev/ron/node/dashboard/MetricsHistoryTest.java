package dev.ron.node.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What two readings tell, and how long it is kept. */
class MetricsHistoryTest {
  private final Scope scope = Scope.of("mailbox", World.real(Log.silent()));
  private final MetricsHistory history = new MetricsHistory(List.of(scope));
  private Instant now = Instant.ofEpochSecond(1000);

  private HistoryPoint read() {
    history.run(now);
    now = now.plus(MetricsHistory.PERIOD);
    List<MetricsHistory.Row> rows = history.since(0);
    return rows.isEmpty() ? null : rows.getLast().services().get("mailbox");
  }

  @Test
  void ratesAndLatenciesAreThoseBetweenTwoReadings() {
    var requests = scope.counters().httpRequests();
    requests.labelValues("/v1/send", "POST", "200").inc(100);
    assertThat(read()).as("the first reading has nothing before it").isNull();
    requests.labelValues("/v1/send", "POST", "200").inc(20);
    requests.labelValues("/v1/send", "POST", "503").inc(5);
    requests.labelValues("/readyz", "GET", "200").inc(50);
    scope.counters().rejected().labelValues("full").inc(10);
    for (int i = 0; i < 100; i++) {
      scope.counters().requestLatency().labelValues("send").observe(i < 98 ? 0.002 : 0.2);
      scope.counters().requestLatency().labelValues("metrics").observe(9);
    }
    HistoryPoint point = read();
    assertThat(point.requests()).isEqualTo(5);
    assertThat(point.failed()).isEqualTo(1);
    assertThat(point.refused()).isEqualTo(2);
    assertThat(point.p50()).isCloseTo(0.00177, within(0.0001));
    assertThat(point.p99()).isBetween(0.1, 0.25);
    HistoryPoint quiet = read();
    assertThat(quiet.requests()).isZero();
    assertThat(quiet.p99()).isNaN();
    assertThat(quiet.json()).isEqualTo("[0.0,0.0,0.0,null,null]");
  }

  @Test
  void aCountThatBeganAnewIsNotNegative() {
    var before = new RequestCounts(100, 3, 0, new TreeMap<>(Map.of(0.1, 100.0)));
    var after = new RequestCounts(10, 0, 0, new TreeMap<>(Map.of(0.1, 10.0)));
    HistoryPoint point = HistoryPoint.between(before, after, 5);
    assertThat(point.requests()).isEqualTo(2);
    assertThat(point.failed()).isZero();
    assertThat(point.p50()).isCloseTo(0.05, within(0.001));
  }

  @Test
  void anHourIsKeptAndAskedForFromATimeOn() {
    for (int i = 0; i < MetricsHistory.ROWS_MAX + 20; i++) {
      read();
    }
    assertThat(history.since(0)).hasSize(MetricsHistory.ROWS_MAX);
    long newest = history.since(0).getLast().atMillis();
    assertThat(history.since(newest - 10_000)).hasSize(2);
    assertThat(history.since(newest)).isEmpty();
  }
}
