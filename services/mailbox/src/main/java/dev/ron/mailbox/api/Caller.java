package dev.ron.mailbox.api;

import dev.ron.http.server.CapabilityGuard;
import dev.ron.http.server.Exchange;

/**
 * Who asks: what they show, and the name of their request.
 *
 * <p>Threading: immutable.
 *
 * @param token empty if none was shown
 */
record Caller(String token, String corrId) {
  static Caller of(Exchange exchange) {
    return new Caller(CapabilityGuard.token(exchange), exchange.corrId());
  }
}
