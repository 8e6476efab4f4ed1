package dev.ron.kernel;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.metric.KernelMetrics;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.metric.Metrics;
import dev.ron.kernel.ready.Readiness;
import dev.ron.kernel.registry.ChannelRow;
import dev.ron.kernel.registry.Registry;
import dev.ron.kernel.supervise.Signal;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.time.Time;
import dev.ron.kernel.trace.Tracer;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * What one service is wired in: the world it lives in, and where it shows itself.
 *
 * <p>Every channel, task and lock takes the scope it belongs to and registers there. There is no
 * ambient state: two nodes in one test are two sets of scopes.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 *
 * @param draining given when the service begins to drain: a task or request that waits for
 *     something that may never come ends its wait
 * @param requestsOver given when the last request has ended or was cut: a task that works for
 *     requests alone stops
 * @param meter counts what tenants use of this service
 * @param tenants as they are listed now; a reload changes it
 * @param tracer begins the spans of its requests
 */
public record Scope(
    String service,
    World world,
    Metrics metrics,
    KernelMetrics counters,
    Registry registry,
    Readiness readiness,
    Signal draining,
    Signal requestsOver,
    Log log,
    Meter meter,
    Supplier<TenantTable> tenants,
    Tracer tracer) {
  public static Scope of(String service, World world) {
    var metrics = new Metrics();
    var registry = new Registry(service);
    metrics.rows(
        "queue_depth",
        "Items waiting in a bounded queue.",
        () ->
            registry.channels().stream()
                .collect(
                    Collectors.toMap(
                        row -> labels(row.name()), row -> (double) row.depth(), Double::sum)));
    return new Scope(
        service,
        world,
        metrics,
        KernelMetrics.in(metrics),
        registry,
        new Readiness(metrics),
        new Signal(world.time()),
        new Signal(world.time()),
        world.log().named(service),
        Meter.NONE,
        () -> TenantTable.NONE,
        Tracer.NONE);
  }

  private Scope copy(
      World in,
      Metrics shown,
      KernelMetrics counted,
      Meter by,
      Supplier<TenantTable> among,
      Tracer to) {
    return new Scope(
        service,
        in,
        shown,
        counted,
        registry,
        readiness,
        draining,
        requestsOver,
        log,
        by,
        among,
        to);
  }

  /** The same service, whose work is charged to its tenants there. */
  public Scope metered(Meter by) {
    return copy(world, metrics, counters, by, tenants, tracer);
  }

  /** The same service, which holds these tenants to their limits and shares by their weights. */
  public Scope shared(Supplier<TenantTable> among) {
    return copy(world, metrics, counters, meter, among, tracer);
  }

  /** The same service, whose requests are traced there. */
  public Scope traced(Tracer by) {
    return copy(world, metrics, counters, meter, tenants, by);
  }

  /** The same service on another disk. */
  public Scope on(Disk disk) {
    return copy(world.on(disk), metrics, counters, meter, tenants, tracer);
  }

  private static Labels labels(String name) {
    String shard = ChannelRow.shard(name);
    return shard.isEmpty()
        ? Labels.of("queue", name)
        : Labels.of("queue", ChannelRow.queue(name), "shard", shard);
  }

  public Time time() {
    return world.time();
  }

  public RandomGenerator chance() {
    return world.chance();
  }

  public RandomGenerator secrets() {
    return world.secrets();
  }

  public Disk disk() {
    return world.disk();
  }
}
