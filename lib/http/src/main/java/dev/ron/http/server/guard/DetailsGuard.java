package dev.ron.http.server.guard;

import dev.ron.capability.AccessDecision;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Shows what a service tells about itself to a capability with {@code op = metrics} that is the
 * operator's: it tells of all tenants.
 *
 * <p>Threading: immutable; the verifier is thread-safe.
 */
public final class DetailsGuard implements Guard {
  /** For a door that was told of no verifier. */
  public static final Guard NONE =
      _ ->
          Refusal.of(
              new HttpFault.Forbidden(
                  "only this machine sees this; ask the admin door of the node"));

  private static final String OP = "metrics";

  private final Scope scope;
  private final Verifier verifier;

  private DetailsGuard(Scope scope, Verifier verifier) {
    this.scope = scope;
    this.verifier = verifier;
  }

  /**
   * @param verifier null lets every request in; for tests and closed networks
   */
  public static Guard of(Scope scope, @Nullable Verifier verifier) {
    return verifier == null ? Guard.OPEN : new DetailsGuard(scope, verifier);
  }

  @Override
  public @Nullable Refusal check(Exchange exchange) {
    AccessRequest ask =
        AccessRequest.of(scope.service(), OP, scope.time().wall()).onPath(exchange.path());
    AccessDecision decision = verifier.verify(CapabilityGuard.token(exchange), ask).operators();
    return decision instanceof AccessDecision.Refused(CapabilityFault fault)
        ? CapabilityTerms.ALWAYS.refused(fault)
        : null;
  }
}
