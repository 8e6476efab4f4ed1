package dev.ron.gateway.route;

import dev.ron.gateway.GatewayConfig;
import dev.ron.gateway.GatewayMetrics;
import dev.ron.gateway.GatewayRoute;
import dev.ron.gateway.admit.InstanceRate;
import dev.ron.gateway.core.GatewayRouteTable;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The routing that holds now, and how another one takes its place.
 *
 * <p>A pool whose route keeps its name and its upstreams is kept, with everything that is under way
 * in it. One that is no longer routed to finishes what it has and is forgotten with its last
 * request, so a reload drops nothing.
 *
 * <p>Threading: thread-safe; read from a volatile field, written by one reload at a time.
 */
public final class CurrentRouting {
  private final Scope scope;
  private final GatewayMetrics metrics;
  private final boolean open;
  private final Watch<RoutingSnapshot> current;

  /**
   * @param open lifts the instance's rate cap
   */
  public CurrentRouting(Scope scope, GatewayMetrics metrics, GatewayConfig config, boolean open) {
    this.scope = scope;
    this.metrics = metrics;
    this.open = open;
    this.current = Watch.of(scope, "routing", routing(config, null));
    scope.readiness().derived("upstreams", this::downPools);
    scope
        .metrics()
        .sampled(
            "gateway_upstream_limit",
            "Requests an upstream gets at a time; lower than max_concurrent after failures.",
            sample ->
                limits().forEach((where, limit) -> sample.call(limit, where.get(0), where.get(1))),
            "pool",
            "upstream");
  }

  public RoutingSnapshot now() {
    return current.value();
  }

  /** Holds for every request from the next one on. */
  public void take(GatewayConfig config) {
    current.set(routing(config, current.value()));
  }

  private RoutingSnapshot routing(GatewayConfig config, @Nullable RoutingSnapshot before) {
    Map<String, UpstreamPool> kept = new HashMap<>();
    if (before != null) {
      for (GatewayRouteTable.Rule<RoutingSnapshot.Line> rule : before.routes().rules()) {
        kept.put(key(rule.target().route()), rule.target().pool());
      }
    }
    List<GatewayRouteTable.Rule<RoutingSnapshot.Line>> rules = new ArrayList<>();
    for (GatewayRoute route : config.routes()) {
      UpstreamPool pool = kept.get(key(route));
      if (pool == null) {
        var latency = metrics.upstreamLatency().labelValues(route.name());
        pool = new UpstreamPool(route, scope.time(), latency);
      } else {
        pool.follow(route);
      }
      rules.add(
          new GatewayRouteTable.Rule<>(
              route.host(),
              route.prefix(),
              route.methods(),
              new RoutingSnapshot.Line(route, pool)));
    }
    int rps = open ? 0 : config.limits().rps();
    return new RoutingSnapshot(
        new GatewayRouteTable<>(rules),
        config.drr().quanta(),
        config.drr().enabled(),
        config.drr().tenantHeader(),
        config.drr().rateLimitRps(),
        rate(rps, before));
  }

  private @Nullable InstanceRate rate(int rps, @Nullable RoutingSnapshot before) {
    if (rps == 0) {
      return null;
    }
    InstanceRate kept = before == null ? null : before.instanceRate();
    return kept != null && kept.perSecond() == rps
        ? kept
        : new InstanceRate(scope.time(), scope.chance(), rps);
  }

  /** By pool and upstream; routes of one name and several methods add up. */
  private Map<List<String>, Integer> limits() {
    Map<List<String>, Integer> limits = new HashMap<>();
    for (UpstreamPool pool : now().pools()) {
      for (Upstream upstream : pool.all()) {
        var where = List.of(pool.name(), upstream.origin().authority());
        limits.merge(where, upstream.limit(), Integer::sum);
      }
    }
    return limits;
  }

  private Optional<String> downPools() {
    List<String> down =
        now().pools().stream().filter(UpstreamPool::down).map(UpstreamPool::name).sorted().toList();
    return down.isEmpty()
        ? Optional.empty()
        : Optional.of("no upstream answers for " + String.join(", ", down));
  }

  private static String key(GatewayRoute route) {
    return route.name() + " " + route.methods() + " " + route.upstreams();
  }
}
