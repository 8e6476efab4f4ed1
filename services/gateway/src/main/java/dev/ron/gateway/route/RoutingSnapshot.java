package dev.ron.gateway.route;

import dev.ron.gateway.GatewayRoute;
import dev.ron.gateway.admit.InstanceRate;
import dev.ron.gateway.core.GatewayRouteTable;
import dev.ron.gateway.core.Quanta;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything about the gateway that a reload can change, as one value: a request sees one of them
 * from its beginning to its end.
 *
 * <p>Threading: immutable; the pools and the rate are thread-safe.
 *
 * @param fair whether tenants stand in lines of their own
 * @param instanceRate null for no cap
 */
public record RoutingSnapshot(
    GatewayRouteTable<Line> routes,
    Quanta quanta,
    boolean fair,
    String tenantHeader,
    int tenantRate,
    @Nullable InstanceRate instanceRate) {
  /** A route and its pool. */
  public record Line(GatewayRoute route, UpstreamPool pool) {}

  public List<UpstreamPool> pools() {
    return routes.rules().stream().map(rule -> rule.target().pool()).toList();
  }
}
