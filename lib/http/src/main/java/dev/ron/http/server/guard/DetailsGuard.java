package dev.ron.http.server.guard;

import dev.ron.capability.AccessDecision;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.Grant;
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
 * <p>{@link #locally} is for a door that only this machine reaches. There a client that shows no
 * capability sees what is no tenant's, and one that shows a tenant's sees that tenant's besides:
 * leaving a capability out never shows more.
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
  private final @Nullable Verifier verifier;
  private final boolean isLocal;

  private DetailsGuard(Scope scope, @Nullable Verifier verifier, boolean isLocal) {
    this.scope = scope;
    this.verifier = verifier;
    this.isLocal = isLocal;
  }

  /**
   * @param verifier null lets every request in as the operator's; for tests and closed networks
   */
  public static DetailsGuard of(Scope scope, @Nullable Verifier verifier) {
    return new DetailsGuard(scope, verifier, false);
  }

  /** The same, where only this machine asks. */
  public DetailsGuard locally() {
    return new DetailsGuard(scope, verifier, true);
  }

  @Override
  public @Nullable Refusal check(Exchange exchange) {
    if (verifier == null) {
      exchange.put(MetricsReader.class, MetricsReader.OPERATOR);
      return null;
    }
    String token = CapabilityGuard.token(exchange);
    if (isLocal && token.isEmpty()) {
      return null;
    }
    AccessRequest ask =
        AccessRequest.of(scope.service(), OP, scope.time().wall()).onPath(exchange.path());
    AccessDecision decision = verifier.verify(token, ask);
    return switch (isLocal ? decision : decision.operators()) {
      case AccessDecision.Granted(Grant grant) -> {
        exchange.put(Grant.class, grant);
        yield null;
      }
      case AccessDecision.Refused(CapabilityFault fault) -> CapabilityTerms.ALWAYS.refused(fault);
    };
  }
}
