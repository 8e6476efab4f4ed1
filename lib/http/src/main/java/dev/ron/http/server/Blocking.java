package dev.ron.http.server;

import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;

/**
 * Handles a request on its own virtual thread, in plain blocking code under the request's deadline.
 *
 * <p>The thread is interrupted when the deadline passes or the peer is gone.
 */
@FunctionalInterface
public non-sealed interface Blocking extends Handler {
  Answer handle(Exchange exchange) throws Exception;
}
