package dev.ron.edge.api;

import dev.ron.edge.pack.PackJson;
import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;

/**
 * {@code GET /edge/packs}: every pack that is served, and every file that is refused with why.
 *
 * <p>Threading: immutable.
 */
record PackList(PackContext desk) implements Blocking {
  @Override
  public Answer handle(Exchange exchange) throws Refusal {
    desk.permit(exchange, desk.rights().reading().onPath(exchange.path()));
    return Answer.bytes(
        200,
        "application/json",
        PackJson.list(desk.shelf().all().values(), desk.shelf().refused()));
  }
}
