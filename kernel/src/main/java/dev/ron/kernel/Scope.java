package dev.ron.kernel;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.metric.KernelMetrics;
import dev.ron.kernel.metric.Metrics;
import dev.ron.kernel.ready.Readiness;
import dev.ron.kernel.registry.ChannelRow;
import dev.ron.kernel.registry.Registry;
import dev.ron.kernel.time.Time;
import java.util.random.RandomGenerator;

/**
 * What one service is wired in: the world it lives in, and where it shows itself.
 *
 * <p>Every channel, task and lock takes the scope it belongs to and registers there. There is no
 * ambient state: two nodes in one test are two sets of scopes.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public record Scope(
    String service,
    World world,
    Metrics metrics,
    KernelMetrics counters,
    Registry registry,
    Readiness readiness,
    Log log) {
  public static Scope of(String service, World world) {
    var metrics = new Metrics();
    var registry = new Registry(service);
    metrics.sampled(
        "queue_depth",
        "Items waiting in a bounded queue.",
        sample -> {
          for (ChannelRow row : registry.channels()) {
            sample.call(row.depth(), row.name());
          }
        },
        "queue");
    return new Scope(
        service,
        world,
        metrics,
        KernelMetrics.in(metrics),
        registry,
        new Readiness(metrics),
        world.log().named(service));
  }

  public Time time() {
    return world.time();
  }

  public RandomGenerator random() {
    return world.random();
  }

  public Disk disk() {
    return world.disk();
  }
}
