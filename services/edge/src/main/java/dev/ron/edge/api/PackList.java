package dev.ron.edge.api;

import dev.ron.edge.wire.PackJson;
import dev.ron.http.Refusal;
import dev.ron.http.server.Answer;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.Exchange;

/**
 * {@code GET /edge/packs}: every pack that is served, and every file that is refused with why.
 *
 * <p>Threading: immutable.
 */
record PackList(PackDesk desk) implements Blocking {
  @Override
  public Answer handle(Exchange exchange) throws Refusal {
    desk.permit(exchange, desk.rights().reading().onPath(exchange.path()));
    return Answer.bytes(
        200,
        "application/json",
        PackJson.list(desk.shelf().all().values(), desk.shelf().refused()));
  }
}
