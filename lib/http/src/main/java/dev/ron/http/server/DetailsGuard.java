package dev.ron.http.server;

import dev.ron.capability.Ask;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.Verdict;
import dev.ron.capability.Verifier;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Shows what a service tells about itself to a capability with {@code op = metrics}.
 *
 * <p>Threading: immutable; the verifier is thread-safe.
 */
final class DetailsGuard implements Guard {
  /** For a door that was told of no verifier. */
  static final Guard NONE =
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
   * @param verifier null lets everybody in; for tests and closed networks
   */
  static Guard of(Scope scope, @Nullable Verifier verifier) {
    return verifier == null ? Guard.OPEN : new DetailsGuard(scope, verifier);
  }

  @Override
  public @Nullable Refusal check(Exchange exchange) {
    Ask ask = Ask.of(scope.service(), OP, scope.time().wall()).onPath(exchange.path());
    return switch (verifier.verify(CapabilityGuard.token(exchange), ask)) {
      case Verdict.Granted _ -> null;
      case Verdict.Refused(CapabilityFault fault) -> CapabilityTerms.ALWAYS.refused(fault);
    };
  }
}
