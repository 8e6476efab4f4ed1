package dev.ron.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.metric.Meter;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UsageCountersTest {
  private final SortedMap<UsageKey, Long> journaled = new TreeMap<>();

  private boolean take(UsageRecord.Counted record) {
    record.deltas().forEach(each -> journaled.merge(each.key(), each.units(), Long::sum));
    return true;
  }

  private long of(String tenant, String metric) {
    return journaled.getOrDefault(new UsageKey(tenant, metric), 0L);
  }

  @Test
  void aCountIsJournaledAtTheSecondFoldAndOnce() {
    var counters = new UsageCounters(10);
    counters.meter("storage").account("acme").add(Meter.Unit.REQUESTS, 3);
    counters.fold(false, this::take);
    assertThat(journaled).isEmpty();
    counters.meter("storage").account("acme").add(Meter.Unit.REQUESTS, 4);
    counters.fold(false, this::take);
    assertThat(of("acme", "storage.requests")).isEqualTo(3);
    for (int i = 0; i < 5; i++) {
      counters.fold(false, this::take);
    }
    assertThat(of("acme", "storage.requests")).isEqualTo(7);
  }

  @Test
  void theLastFoldTakesEverything() {
    var counters = new UsageCounters(10);
    counters.meter("edge").account("acme").add(Meter.Unit.CACHE_HITS, 5);
    counters.fold(true, this::take);
    counters.fold(true, this::take);
    assertThat(of("acme", "edge.cache_hits")).isEqualTo(5);
  }

  @Test
  void whatTheJournalRefusesIsOfferedAgain() {
    var counters = new UsageCounters(10);
    counters.meter("edge").account("acme").add(Meter.Unit.FILL_BYTES, 5);
    counters.fold(true, _ -> false);
    counters.meter("edge").account("acme").add(Meter.Unit.FILL_BYTES, 6);
    counters.fold(true, this::take);
    assertThat(of("acme", "edge.fill_bytes")).isEqualTo(11);
  }

  @Test
  void oneServiceIsNotAnother() {
    var counters = new UsageCounters(10);
    counters.meter("edge").account("acme").add(Meter.Unit.REQUESTS, 1);
    counters.meter("storage").account("acme").add(Meter.Unit.REQUESTS, 2);
    counters.fold(true, this::take);
    assertThat(of("acme", "edge.requests")).isEqualTo(1);
    assertThat(of("acme", "storage.requests")).isEqualTo(2);
  }

  @Test
  void tenantsPastTheLimitShareOneAccountAndNoneIsLost() {
    var counters = new UsageCounters(1000);
    Meter meter = counters.meter("gateway");
    for (int i = 0; i < 100_000; i++) {
      meter.account("t" + i).add(Meter.Unit.REQUESTS, 1);
    }
    var sizes = new ArrayList<Integer>();
    counters.fold(
        true,
        record -> {
          sizes.add(record.encoded().remaining());
          return take(record);
        });
    assertThat(of("t0", "gateway.requests")).isEqualTo(1);
    assertThat(of("t999", "gateway.requests")).isEqualTo(1);
    assertThat(of(UsageCounters.OTHER, "gateway.requests")).isEqualTo(99_000);
    assertThat(journaled).hasSize(1001);
    assertThat(sizes).allMatch(bytes -> bytes < 2 << 20);
  }

  @Test
  void namesThatNoAccountCanHaveShareOneToo() {
    var counters = new UsageCounters(1000);
    Meter meter = counters.meter("gateway");
    List<String> bad = List.of("", "a\nb", "\u0000", "x".repeat(513), "\ud800", "é".repeat(300));
    bad.forEach(name -> meter.account(name).add(Meter.Unit.REQUESTS, 1));
    List<String> good = List.of("quo\"te", "back\\slash", "ünï💡", "x".repeat(512));
    good.forEach(name -> meter.account(name).add(Meter.Unit.REQUESTS, 1));
    counters.fold(true, this::take);
    assertThat(of(UsageCounters.OTHER, "gateway.requests")).isEqualTo(bad.size());
    good.forEach(name -> assertThat(of(name, "gateway.requests")).as(name).isEqualTo(1));
  }

  @Test
  void manyThreadsAndAFoldLoseNothing() throws Exception {
    var counters = new UsageCounters(10);
    Meter meter = counters.meter("gateway");
    var done = new CountDownLatch(4);
    try (var pool = Executors.newFixedThreadPool(4)) {
      for (int t = 0; t < 4; t++) {
        pool.execute(
            () -> {
              for (int i = 0; i < 50_000; i++) {
                meter.account("a" + i % 3).add(Meter.Unit.REQUESTS, 1);
              }
              done.countDown();
            });
      }
      while (done.getCount() > 0) {
        counters.fold(false, this::take);
      }
      assertThat(pool.awaitTermination(0, TimeUnit.SECONDS)).isFalse();
    }
    counters.fold(true, this::take);
    assertThat(journaled.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(200_000);
  }
}
