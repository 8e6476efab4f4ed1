package dev.ron.http.server.dispatch;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Guard;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks every request, also one to a route that no layer holds back: the host it names, and for
 * such a route its own rate and the right to see details of the service.
 *
 * <p>Threading: immutable; called on event loops.
 */
public record AccessCheck(HostRule hosts, OperationalLimit limit, Guard details) {
  private static final Set<String> DETAILS = Set.of("metrics", "openapi");

  @Nullable Refusal host(Exchange exchange) {
    return hosts.check(exchange.head().authority());
  }

  @Nullable Refusal admit(Exchange operational) {
    Refusal refusal = limit.admit(operational);
    return refusal == null && DETAILS.contains(operational.route().op())
        ? details.check(operational)
        : refusal;
  }
}
