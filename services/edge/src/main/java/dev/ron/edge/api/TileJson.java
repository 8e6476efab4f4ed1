package dev.ron.edge.api;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.edge.pack.MountedPack;
import dev.ron.edge.pack.PackJson;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.field.ETag;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;

/**
 * {@code GET /edge/assets/{pack}.json}: the pack as TileJSON 3.0.
 *
 * <p>Threading: immutable.
 */
record TileJson(PackContext desk) implements Blocking {
  static final String ENDING = ".json";

  @Override
  public Answer handle(Exchange exchange) throws Refusal {
    String file = exchange.param("tilejson");
    MountedPack pack = desk.pack(file.substring(0, file.length() - ENDING.length()));
    desk.permit(exchange, desk.reading(exchange, pack.name()));
    byte[] json = PackJson.tileJson(pack.name(), pack.pack(), tiles(desk.base(), pack));
    var tag = ETag.strong(new Address(Blake3.hash(json)).toString());
    Headers headers = PackContext.ofPack(Headers.of("Content-Type", "application/json"));
    return desk.answer(Representation.of(tag, headers, json), exchange);
  }

  /** The address of every tile, with the three numbers left open. */
  static String tiles(String base, MountedPack pack) {
    return "%s/edge/assets/%s/{z}/{x}/{y}.%s"
        .formatted(base, pack.name(), pack.pack().header().tileType().extension());
  }
}
