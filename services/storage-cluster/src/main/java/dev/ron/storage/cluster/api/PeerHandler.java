package dev.ron.storage.cluster.api;

import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;

/** Answers another node, at a door for HTTP or without one. */
@FunctionalInterface
interface PeerHandler extends Blocking {
  Answer answer(PeerRequest request) throws Exception;

  @Override
  default Answer handle(Exchange exchange) throws Exception {
    return answer(PeerRequest.of(exchange));
  }
}
