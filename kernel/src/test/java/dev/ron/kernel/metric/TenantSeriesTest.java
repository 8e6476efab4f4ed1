package dev.ron.kernel.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A client that is not the operator sees no series that names another tenant's thing. */
final class TenantSeriesTest {
  private static boolean isBeforeTheSlash(String tenant, String topic) {
    return topic.startsWith(tenant + "/");
  }

  private static List<String> seen(Metrics metrics, String tenant) {
    var services = new LinkedHashMap<String, Metrics>();
    services.put("s", metrics);
    Optional<String> who = Optional.of(tenant).filter(name -> !name.isEmpty());
    return new TenantSeries(List.of(metrics))
        .of(Exposition.of(services), who)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.replace("service=\"s\",", "").replace("service=\"s\"", ""))
        .toList();
  }

  @Test
  void aLabelThatNamesATenantIsThatTenants() {
    var metrics = new Metrics();
    var counter = metrics.counter("units_total", "Units.", "metric", "tenant");
    counter.labelValues("a", "acme").inc();
    counter.labelValues("a", "acme.b").inc();
    counter.labelValues("a", CappedLabel.OTHER).inc();
    counter.labelValues("tenant=\"evil\"", "acme").inc(3);
    metrics.gauge("depth", "Depth.").set(1);
    assertThat(seen(metrics, "")).containsExactly("depth{} 1.0");
    assertThat(seen(metrics, "acme.b"))
        .containsExactly("depth{} 1.0", "units_total{metric=\"a\",tenant=\"acme.b\"} 1.0");
    assertThat(seen(metrics, "evil")).containsExactly("depth{} 1.0");
    assertThat(seen(metrics, CappedLabel.OTHER)).containsExactly("depth{} 1.0");
    assertThat(seen(metrics, "acme")).hasSize(3).doesNotContain("acme.b");
  }

  @Test
  void aLabelOfThingsIsAskedWhoseTheyAre() {
    var metrics = new Metrics();
    metrics.owned("dead_total", "topic", TenantSeriesTest::isBeforeTheSlash);
    metrics.owned("waits_seconds", "topic", TenantSeriesTest::isBeforeTheSlash);
    var dead = metrics.counter("dead_total", "Dead.", "reason", "topic");
    dead.labelValues("tries", "acme/a \"}, topic=\"evil/").inc();
    dead.labelValues("tries", "evil/back\\slash\nand line").inc();
    dead.labelValues("tries", CappedLabel.OTHER).inc();
    metrics.latency("waits_seconds", "Waits.", "topic").labelValues("acme/a").observe(1);
    metrics.counter("missed_total", "Missed.", "topic").labelValues("bus").inc();
    assertThat(seen(metrics, "")).containsExactly("missed_total{topic=\"bus\"} 1.0");
    assertThat(seen(metrics, "evil"))
        .containsExactly(
            "dead_total{reason=\"tries\",topic=\"evil/back\\\\slash\\nand line\"} 1.0",
            "missed_total{topic=\"bus\"} 1.0");
    assertThat(seen(metrics, "acme"))
        .anyMatch(line -> line.startsWith("waits_seconds_bucket{"))
        .anyMatch(line -> line.startsWith("dead_total{"))
        .noneMatch(line -> line.contains("slash") || line.contains(CappedLabel.OTHER));
  }
}
