package dev.ron.edge.api;

import dev.ron.edge.core.HopByHop;
import dev.ron.http.Headers;
import dev.ron.http.server.exchange.Exchange;

/**
 * Passes heads that come before an answer, such as 103, to the client that caused the question.
 *
 * <p>Threading: told on the client's event loop, tells on the exchange's.
 */
record InterimAnswers(Exchange exchange) {
  /** 100 is between two neighbours, 101 is refused by the client; the others are passed on. */
  void passOn(int status, Headers headers) {
    if (status >= 102) {
      Headers onward = HopByHop.without(headers);
      exchange.loop().execute(() -> exchange.interim(status, onward));
    }
  }
}
