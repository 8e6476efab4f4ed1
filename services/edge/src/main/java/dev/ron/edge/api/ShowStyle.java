package dev.ron.edge.api;

import dev.ron.edge.map.MapStyle;
import dev.ron.edge.pack.MountedPack;
import dev.ron.http.Refusal;
import dev.ron.http.json.Schema;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /edge/map/{pack}/style.json}: how the page draws the pack.
 *
 * <p>Threading: immutable.
 */
record ShowStyle(PackContext context, PageFiles files) implements Verb<ShowStyle.Request, byte[]> {
  /** The parts of the MapLibre style specification that the edge writes. */
  private record StyleParts(
      int version,
      @Nullable String name,
      @Nullable Map<String, Object> metadata,
      String glyphs,
      Map<String, Map<String, Object>> sources,
      List<Map<String, Object>> layers) {}

  static final Schema SCHEMA = Schema.of(StyleParts.class);

  record Request(MountedPack pack, MapStyle.Theme theme) {}

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    MountedPack pack = context.pack(exchange.param("pack"));
    context.permit(exchange, context.reading(exchange, pack.name()));
    boolean dark = "dark".equals(exchange.query().first("theme"));
    return new Request(pack, dark ? MapStyle.Theme.DARK : MapStyle.Theme.LIGHT);
  }

  @Override
  public byte[] handle(Request request) {
    MountedPack pack = request.pack();
    return MapStyle.of(
        files.bytes("isles.json"),
        pack.pack().header(),
        pack.pack().metadata(),
        request.theme(),
        // Relative to wherever the page was found: through the gateway, or in the dashboard.
        TileJson.tiles("", pack),
        "/edge/fonts/{fontstack}/{range}.pbf");
  }

  @Override
  public Answer write(byte[] style) {
    return Answer.bytes(200, "application/json", style);
  }
}
