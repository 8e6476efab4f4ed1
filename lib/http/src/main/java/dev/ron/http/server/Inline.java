package dev.ron.http.server;

import dev.ron.http.server.exchange.Exchange;

/**
 * Handles a request on the event loop: may not block, or every connection of the loop waits.
 *
 * <p>For answers that are in memory, for refusals, and for proxying. It answers with {@link
 * Exchange#answer}, before it returns or later on the same loop.
 */
@FunctionalInterface
public non-sealed interface Inline extends Handler {
  void handle(Exchange exchange) throws Exception;
}
