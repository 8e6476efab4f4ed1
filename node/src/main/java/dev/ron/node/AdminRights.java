package dev.ron.node;

import dev.ron.capability.AccessDecision;
import dev.ron.capability.Capability;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.CapabilityGuard;
import dev.ron.http.server.guard.CapabilityTerms;
import dev.ron.http.server.guard.Guard;
import dev.ron.kernel.Scope;
import java.util.Set;

/**
 * What the admin door asks a capability for: the settings and the log are the operator's, so a
 * tenant's capability is refused whatever else it allows. Its own terms and usage are a tenant's to
 * see. Metrics and history are for each client that reaches the door, but for what they tell of
 * tenants: a tenant's capability shows its own there, and only an operator's shows all.
 *
 * <p>Requests that go on to a service carry a capability for that service, which it checks itself.
 *
 * <p>Threading: stateless.
 */
final class AdminRights implements CapabilityTerms {
  private static final Set<String> NEEDED =
      Set.of(
          "reload",
          "logs",
          "cluster",
          "settings",
          "tenants",
          "usage",
          "usage-spans",
          "usage-seals");

  /** For a capability that is shown, not asked for: it says of which tenants is told. */
  private static final Set<String> SHOWN = Set.of("metrics", "history");

  /** A tenant may ask, and is told of itself alone. */
  private static final Set<String> TENANTS =
      Set.of("tenants", "usage", "usage-spans", "metrics", "history");

  private AdminRights() {}

  static Guard guard(Scope scope, Verifier verifier) {
    return new CapabilityGuard(scope, verifier, new AdminRights());
  }

  @Override
  public boolean needed(Exchange exchange) {
    return NEEDED.contains(exchange.route().op());
  }

  @Override
  public String token(Exchange exchange) {
    return needed(exchange) || SHOWN.contains(exchange.route().op())
        ? CapabilityGuard.token(exchange)
        : "";
  }

  @Override
  public AccessDecision verdict(Capability capability, AccessRequest ask, Exchange exchange) {
    AccessDecision decision = CapabilityTerms.super.verdict(capability, ask, exchange);
    return TENANTS.contains(exchange.route().op()) ? decision : decision.operators();
  }
}
