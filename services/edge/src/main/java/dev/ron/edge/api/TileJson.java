package dev.ron.edge.api;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.edge.pack.MountedPack;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.field.ETag;
import dev.ron.http.json.Json;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.tilepack.PackHeader;
import dev.ron.tilepack.PackMetadata;
import dev.ron.tilepack.tile.Bounds;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /edge/assets/{pack}.json}: the pack as TileJSON 3.0.
 *
 * <p>No verb, because conditions and ranges of the request decide what is written.
 *
 * <p>Threading: immutable.
 */
record TileJson(PackContext context) implements Blocking {
  static final String ENDING = ".json";

  record Layer(
      String id, String description, int minzoom, int maxzoom, Map<String, String> fields) {}

  /**
   * @param tiles addresses of a tile with {@code {z}}, {@code {x}} and {@code {y}} in them
   * @param center longitude and latitude in degrees, and a whole zoom
   * @param vectorLayers null for pictures
   */
  record Reply(
      String tilejson,
      String name,
      String description,
      String attribution,
      String scheme,
      List<String> tiles,
      int minzoom,
      int maxzoom,
      List<Double> bounds,
      List<Object> center,
      String format,
      @Nullable List<Layer> vectorLayers) {}

  @Override
  public Answer handle(Exchange exchange) throws Refusal {
    String file = exchange.param("tilejson");
    MountedPack pack = context.pack(file.substring(0, file.length() - ENDING.length()));
    context.permit(exchange, context.reading(exchange, pack.name()));
    byte[] json = Json.plain().write(reply(pack, tiles(context.base(), pack)));
    var tag = ETag.strong(new Address(Blake3.hash(json)).toString());
    Headers headers = PackContext.ofPack(Headers.of("Content-Type", "application/json"));
    return context.answer(Representation.of(tag, headers, json), exchange);
  }

  private static Reply reply(MountedPack pack, String tiles) {
    PackHeader header = pack.pack().header();
    PackMetadata metadata = pack.pack().metadata();
    return new Reply(
        "3.0.0",
        metadata.name().isEmpty() ? pack.name() : metadata.name(),
        metadata.description(),
        metadata.attribution(),
        "xyz",
        List.of(tiles),
        header.zoomMin(),
        header.zoomMax(),
        degrees(header.bounds()),
        List.of(
            header.center().longitudeE7() / 1e7,
            header.center().latitudeE7() / 1e7,
            header.center().zoom()),
        header.tileType().extension(),
        header.tileType().isVector()
            ? metadata.vectorLayers().stream().map(TileJson::layer).toList()
            : null);
  }

  private static Layer layer(PackMetadata.VectorLayer layer) {
    return new Layer(
        layer.id(),
        layer.description(),
        layer.zoomMin(),
        layer.zoomMax(),
        new TreeMap<>(layer.fields()));
  }

  /** West, south, east and north. */
  static List<Double> degrees(Bounds bounds) {
    return List.of(
        bounds.westE7() / 1e7,
        bounds.southE7() / 1e7,
        bounds.eastE7() / 1e7,
        bounds.northE7() / 1e7);
  }

  /** The address of every tile, with the three numbers left open. */
  static String tiles(String base, MountedPack pack) {
    return "%s/edge/assets/%s/{z}/{x}/{y}.%s"
        .formatted(base, pack.name(), pack.pack().header().tileType().extension());
  }
}
