package dev.ron.rewarder.api;

import dev.ron.capability.Verifier;
import dev.ron.http.Refusal;
import dev.ron.http.server.CapabilityGuard;
import dev.ron.http.server.CapabilityTerms;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.Guard;
import dev.ron.kernel.Scope;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks a capability of whoever wants something of the rewarder itself: what people are paid is
 * nobody else's business.
 *
 * <p>Threading: immutable.
 */
public final class RewarderGuard implements Guard {
  /** Where the rewarder's own routes are; the others are the server's. */
  private static final String ROOT = "/rewarder/";

  private final Optional<CapabilityGuard> guard;

  /**
   * @param verifier nothing lets everybody in
   */
  public RewarderGuard(Scope scope, Optional<Verifier> verifier) {
    this.guard = verifier.map(known -> new CapabilityGuard(scope, known, CapabilityTerms.ALWAYS));
  }

  @Override
  public @Nullable Refusal check(Exchange exchange) {
    return guard.isEmpty() || !exchange.path().startsWith(ROOT)
        ? null
        : guard.get().check(exchange);
  }
}
