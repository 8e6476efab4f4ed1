package dev.ron.edge.api;

import dev.ron.decode.DecodeLimits;
import dev.ron.edge.pack.MountedPacks;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.route.PathPattern;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import java.time.Duration;
import java.util.List;

/**
 * The routes of packs and of the page that draws them.
 *
 * <p>A path below {@code /edge/assets} is a pack's only while a pack of that name is mounted; all
 * others are left to the mounts.
 */
final class PackRoutes {
  /** What the edge lets stored bytes become when it decodes them for a client. */
  private static final long DECODED_BYTES_MAX = 10 << 20;

  /** A pack may be large and a client slow; one that stalls is cut off long before. */
  private static final Duration WHOLE_PACK = Duration.ofHours(6);

  private PackRoutes() {}

  static Routes of(PackContext desk) {
    MountedPacks shelf = desk.shelf();
    var files = new PageFiles();
    var page = new MapPage(desk, files);
    return Routes.of()
        .add(
            Route.of("GET", raw(shelf), "pack", new RawPack(desk))
                .within(WHOLE_PACK)
                .documented("The pack itself, with ranges.", List.of(200, 206, 304, 404, 412, 416)))
        .add(
            Route.of("GET", tileJson(shelf), "tilejson", new TileJson(desk))
                .documented("The pack as TileJSON 3.0.", List.of(200, 206, 304, 404)))
        .add(
            Route.of(
                    "GET",
                    tile(shelf),
                    "tile",
                    new Tile(desk, DecodeLimits.capped(DECODED_BYTES_MAX)))
                .documented(
                    "A tile; 204 where the pack has none, 404 outside it.",
                    List.of(200, 204, 206, 304, 401, 403, 404, 502, 503),
                    EdgeRights.PARAM))
        .add(
            Route.of("GET", "/edge/packs", "packs", new PackList(desk))
                .documented("Packs that are served and files that are refused.", List.of(200)))
        .add(
            Route.of("GET", "/edge/map/{pack}", "map", (Blocking) page::page)
                .documented("A page that draws the pack.", List.of(200, 404)))
        .add(
            Route.of("GET", "/edge/map/{pack}/style.json", "style", (Blocking) page::style)
                .documented("How the pack is drawn.", List.of(200, 404), "theme", EdgeRights.PARAM))
        .add(
            Route.of("GET", "/edge/page/{file}", "page", files)
                .documented("Scripts and style sheets of the page.", List.of(200, 404)))
        .add(
            Route.of("GET", "/edge/fonts/{fonts}/{range}", "glyphs", new Glyphs())
                .documented("Letters for labels, by 256.", List.of(200, 404)));
  }

  private static PathPattern raw(MountedPacks shelf) {
    return new PathPattern(
        "/edge/assets/{pack}",
        values ->
            RawPack.isRaw(values.getFirst())
                && shelf
                    .find(values.getFirst().substring(0, values.getFirst().lastIndexOf('.')))
                    .isPresent());
  }

  private static PathPattern tileJson(MountedPacks shelf) {
    return new PathPattern(
        "/edge/assets/{tilejson}",
        values ->
            values.getFirst().endsWith(TileJson.ENDING)
                && shelf
                    .find(
                        values
                            .getFirst()
                            .substring(0, values.getFirst().length() - TileJson.ENDING.length()))
                    .isPresent());
  }

  private static PathPattern tile(MountedPacks shelf) {
    return new PathPattern(
        "/edge/assets/{pack}/{z}/{x}/{y}", values -> shelf.find(values.getFirst()).isPresent());
  }
}
