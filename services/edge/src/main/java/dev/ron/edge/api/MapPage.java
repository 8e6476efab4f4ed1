package dev.ron.edge.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.edge.map.MapStyle;
import dev.ron.edge.pack.MountedPack;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;

/**
 * {@code GET /edge/map/{pack}}: a page that draws the pack, and its style.
 *
 * <p>The page's policy lets it load from the edge and from nowhere else, so that what works with a
 * network works the same without.
 *
 * <p>Threading: immutable.
 */
record MapPage(PackContext desk, PageFiles files) {
  /** Pictures may be data: the script's style sheet and decoded raster tiles are. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /** The page itself says nothing of the pack but its name; what it fetches is checked. */
  Answer page(Exchange exchange) throws Refusal {
    MountedPack pack = desk.pack(exchange.param("pack"));
    String html = files.text("map.html").replace("@pack@", pack.name());
    return new Answer(
        200,
        Headers.of(
            "Content-Type",
            "text/html; charset=utf-8",
            "Content-Security-Policy",
            POLICY,
            PageFiles.MARK,
            "map",
            "Cache-Control",
            "no-cache"),
        new Body.Bytes(html.getBytes(UTF_8)));
  }

  Answer style(Exchange exchange) throws Refusal {
    MountedPack pack = desk.pack(exchange.param("pack"));
    desk.permit(exchange, desk.reading(exchange, pack.name()));
    boolean dark = "dark".equals(exchange.query().first("theme"));
    byte[] style =
        MapStyle.of(
            files.bytes("isles.json"),
            pack.pack().header(),
            pack.pack().metadata(),
            dark ? MapStyle.Theme.DARK : MapStyle.Theme.LIGHT,
            // Relative to wherever the page was found: through the gateway, or in the dashboard.
            TileJson.tiles("", pack),
            "/edge/fonts/{fontstack}/{range}.pbf");
    return Answer.bytes(200, "application/json", style);
  }
}
