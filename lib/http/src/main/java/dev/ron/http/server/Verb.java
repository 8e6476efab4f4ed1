package dev.ron.http.server;

import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;

/**
 * What a request/answer route does, in three steps that every service has in this order and by
 * these names.
 *
 * <p>A verb is one file: a record of what it works with, its body's {@code Form}, its request and
 * its reply as records, and the three methods. The rewarder's {@code Settlement} is the shortest:
 *
 * <pre>{@code
 * record Settlement(RewarderContext context) implements Verb<String, Settlement.Reply> {
 *   record Reply(String epoch, long lines, @Nullable String reason, String state) {}
 *
 *   public String parse(Exchange exchange) throws Refusal {
 *     return RewarderContext.epoch(exchange);
 *   }
 *
 *   public Reply handle(String epoch) throws Refusal { ... }
 * }
 *
 * Route.get("/rewarder/epochs/{epoch}/settlement").op("settlement").summary("How far it is paid.")
 *     .answers(200, Settlement.Reply.class).answers(401, 403, 404).does(new Settlement(context))
 * }</pre>
 *
 * <p>It runs as a {@link Blocking} handler does: on its own virtual thread, under the request's
 * deadline, which is {@code Deadline.current()}. A step that refuses throws {@code
 * Refusal.of(fault)}.
 *
 * <p>Not for what answers while it still works or without a thread of its own: a stream that lasts
 * (give the route a {@link Blocking} that answers {@link Answer#stream}), proxying, and answers
 * from memory on the hot path (give it an {@link Inline}, which stays on the event loop). A route
 * takes either. A large answer whose content is decided before its first byte is a verb: its {@code
 * write} answers a stream.
 *
 * @param <Q> the request: all that the verb needs of the exchange, checked
 * @param <A> the reply
 */
public interface Verb<Q, A> {
  /** The request of a verb that needs nothing of the exchange. */
  record None() {}

  /** Reads path, query, fields, body and caller; refuses what is not in its form. */
  Q parse(Exchange exchange) throws Exception;

  /** Does the work; knows nothing of HTTP. */
  A handle(Q request) throws Exception;

  /**
   * Puts the reply on the wire: as JSON with 200, if it is a record and the verb has no other.
   *
   * <p>The JSON of a record is written by the mapper's accessors. A verb that answers tens of
   * thousands of requests a second writes its own.
   */
  default Answer write(A reply) {
    return Answer.json(200, (Record) reply);
  }

  /** The three steps as a handler. */
  default Blocking handler() {
    return exchange -> write(handle(parse(exchange)));
  }
}
