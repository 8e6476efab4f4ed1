package dev.ron.http.server.dispatch;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Guard;
import org.jspecify.annotations.Nullable;

/**
 * Asks the service's {@link Guard}, last before the handler, and then holds the caller, who is
 * known, to its tenant's limits.
 */
public record GuardLayer(Guard guard) implements Layer {
  @Override
  public @Nullable Refusal admit(Exchange exchange) {
    Refusal refusal = guard.check(exchange);
    return refusal != null || guard.equals(Guard.LATER) ? refusal : exchange.enter();
  }
}
