package dev.ron.http.server.dispatch;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Guard;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks every request, also one to a route that no layer holds back: the host it names, and for
 * such a route its own rate and the right to see details of the service.
 *
 * <p>Threading: immutable; called on event loops.
 *
 * @param details asked of those who come by the network
 * @param socketDetails asked of those who come by a Unix socket, where any host may be named: no
 *     browser speaks there; null if the door has none
 */
public record AccessCheck(
    HostRule hosts, OperationalLimit limit, Guard details, @Nullable Guard socketDetails) {
  private static final Set<String> DETAILS = Set.of("metrics", "openapi");

  @Nullable Refusal host(Exchange exchange) {
    return bySocket(exchange) ? null : hosts.check(exchange.head().authority());
  }

  @Nullable Refusal admit(Exchange operational) {
    Refusal refusal = limit.admit(operational);
    if (refusal != null || !DETAILS.contains(operational.route().op())) {
      return refusal;
    }
    Guard guard = socketDetails != null && bySocket(operational) ? socketDetails : details;
    return guard.check(operational);
  }

  private boolean bySocket(Exchange exchange) {
    return socketDetails != null && !(exchange.peer() instanceof InetSocketAddress);
  }
}
