package dev.ron.http.server;

import dev.ron.http.Refusal;
import org.jspecify.annotations.Nullable;

/** Asks the service's {@link Guard}, last before the handler. */
record GuardLayer(Guard guard) implements Layer {
  @Override
  public @Nullable Refusal admit(Exchange exchange) {
    return guard.check(exchange);
  }
}
