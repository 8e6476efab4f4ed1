package dev.ron.storage.cluster.api;

import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;

/**
 * A question of another node that is answered in JSON, or with 204 where there is nothing to say.
 *
 * <p>Threading: immutable.
 */
record PeerVerb<Q, A extends Record>(Step<PeerRequest, Q> parser, Step<Q, A> work)
    implements Verb<Q, A> {
  @FunctionalInterface
  interface Step<I, O> {
    O apply(I in) throws Exception;
  }

  @Override
  public Q parse(Exchange exchange) throws Exception {
    return parser.apply(PeerRequest.of(exchange));
  }

  @Override
  public A handle(Q request) throws Exception {
    return work.apply(request);
  }

  @Override
  public Answer write(A reply) {
    return reply instanceof None ? Answer.empty(204) : Answer.json(200, reply);
  }

  @Override
  public PeerHandler handler() {
    return request -> write(handle(parser.apply(request)));
  }
}
