package dev.ron.kernel.metric;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.Summary;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One service's metrics, and their text form for {@code GET /metrics}.
 *
 * <p>Each service in a process has its own, because the names are a contract and carry no service
 * label: {@code queue_depth{queue="work"}} of the edge and of the storage are different queues.
 *
 * <p>Exemplars are off: for them the client starts a thread of its own, which no supervisor knows,
 * and every increment takes that thread's lock.
 *
 * <p>Threading: thread-safe, as the Prometheus client's registry is.
 */
public final class Metrics {
  /**
   * From a quarter of a millisecond, where a warm hit is, to ten seconds, past every deadline.
   * Roughly doubling, so that a p99 read off the buckets is at most a factor of two away.
   */
  private static final double[] LATENCY_SECONDS = {
    0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
  };

  private static final double MEDIAN = 0.5;
  private static final double P99 = 0.99;
  private static final double QUANTILE_ERROR = 0.001;

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Set<String> names = ConcurrentHashMap.newKeySet();
  private final Set<OwnedLabel> owned = ConcurrentHashMap.newKeySet();

  /**
   * A label whose values name things of tenants.
   *
   * @param family the name of the metric
   * @param owner whether a tenant owns what a value names: the tenant, then the value
   */
  record OwnedLabel(String family, String label, BiPredicate<String, String> owner) {}

  public Counter counter(String name, String help, String... labels) {
    names.add(name);
    return Counter.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .withoutExemplars()
        .register(registry);
  }

  public Gauge gauge(String name, String help, String... labels) {
    names.add(name);
    return Gauge.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .withoutExemplars()
        .register(registry);
  }

  public Histogram latency(String name, String help, String... labels) {
    names.add(name);
    return Histogram.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .withoutExemplars()
        .classicOnly()
        .classicUpperBounds(LATENCY_SECONDS)
        .register(registry);
  }

  /** A gauge that is read when it is scraped, so that the hot path pays nothing for it. */
  public void sampled(
      String name, String help, Consumer<GaugeWithCallback.Callback> sample, String... labels) {
    names.add(name);
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .callback(sample)
        .register(registry);
  }

  /** As {@link #sampled}, where some rows have a label that others have not. */
  public void rows(String name, String help, Supplier<Map<Labels, Double>> sample) {
    names.add(name);
    registry.register(
        () -> {
          var all = GaugeSnapshot.builder().name(name).help(help);
          sample.get().forEach((labels, value) -> all.dataPoint(row(labels, value)));
          return all.build();
        });
  }

  /** As {@link #sampled}, of what only grows; the name without {@code _total}. */
  public void totals(String name, String help, Supplier<Map<Labels, Double>> sample) {
    names.add(name);
    registry.register(
        () -> {
          var all = CounterSnapshot.builder().name(name).help(help);
          sample
              .get()
              .forEach(
                  (labels, value) ->
                      all.dataPoint(
                          CounterSnapshot.CounterDataPointSnapshot.builder()
                              .labels(labels)
                              .value(value)
                              .build()));
          return all.build();
        });
  }

  private static GaugeSnapshot.GaugeDataPointSnapshot row(Labels labels, double value) {
    return GaugeSnapshot.GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
  }

  /** Count, sum and quantiles of the last minutes. */
  public Summary summary(String name, String help, String... labels) {
    names.add(name);
    return Summary.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .withoutExemplars()
        .quantile(MEDIAN, QUANTILE_ERROR)
        .quantile(P99, QUANTILE_ERROR)
        .register(registry);
  }

  /**
   * Says that a label of a metric names things of tenants. A label {@code tenant} needs no such
   * word: its value is the tenant.
   */
  public void owned(String family, String label, BiPredicate<String, String> owner) {
    owned.add(new OwnedLabel(family, label, owner));
  }

  List<OwnedLabel> owned() {
    return List.copyOf(owned);
  }

  /** Every name registered so far, also of what has not been counted yet. */
  public Set<String> names() {
    return Set.copyOf(names);
  }

  /** What is counted now under some of the names, for those who keep it over time. */
  public MetricSnapshots scrape(Set<String> wanted) {
    return registry.scrape(name -> wanted.contains(name) || wanted.contains(name + "_total"));
  }

  /** The Prometheus text exposition of everything registered here. */
  public String text() {
    var out = new ByteArrayOutputStream(16 * 1024);
    try {
      PrometheusTextFormatWriter.create().write(out, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
