package dev.ron.edge.api;

import dev.ron.decode.DecodeLimits;
import dev.ron.edge.pack.MountedPacks;
import dev.ron.http.json.Schema;
import dev.ron.http.server.route.PathPattern;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.tilepack.sample.SamplePack;
import dev.ron.tilepack.tile.TileType;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The routes of packs and of the page that draws them.
 *
 * <p>A path below {@code /edge/assets} is a pack's only while a pack of that name is mounted; all
 * others are left to the mounts.
 */
final class PackRoutes {
  /** A pack may be large and a client slow; one that stalls is cut off long before. */
  private static final Duration WHOLE_PACK = Duration.ofHours(6);

  private static final List<String> TILES =
      Arrays.stream(TileType.values()).map(TileType::mediaType).toList();

  private PackRoutes() {}

  static Routes of(PackContext context, DecodeLimits decoded) {
    MountedPacks packs = context.packs();
    return Routes.of(
            told(
                    Route.of("GET", raw(packs), "pack", new RawPack(context)),
                    "The pack, with ranges.")
                .example("pack", SamplePack.NAME + ".pmtiles")
                .answers(200, RawPack.MEDIA_TYPES, Schema.ANY)
                .answers(206, RawPack.MEDIA_TYPES, Schema.ANY)
                .answers(304, 404, 412, 416)
                .within(WHOLE_PACK),
            told(
                    Route.of("GET", tileJson(packs), "tilejson", new TileJson(context)),
                    "The pack as TileJSON 3.0.")
                .example("tilejson", SamplePack.NAME + TileJson.ENDING)
                .answers(200, TileJson.Reply.class)
                .answers(206, "application/json", Schema.ANY)
                .answers(304, 404, 412, 416),
            told(
                    Route.of("GET", tile(packs), "tile", new Tile(context, decoded)),
                    "A tile; 204 where the pack has none, 404 outside it.")
                .example("pack", SamplePack.NAME)
                .example("z", "0")
                .example("x", "0")
                .example("y", "0.mvt")
                .answers(200, TILES, Schema.ANY)
                .answers(206, TILES, Schema.ANY)
                .answers(204, 304, 404, 412, 416, 502, 503),
            told(
                    Route.get("/edge/packs").op("packs").does(new PackList(context)),
                    "Packs that are served and files that are refused.")
                .answers(200, PackList.Reply.class))
        .add(page(context, new PageFiles()));
  }

  private static Route[] page(PackContext context, PageFiles files) {
    return new Route[] {
      told(
              Route.get("/edge/map/{pack}").op("map").does(new MapPage(context, files)),
              "A page that draws the pack.")
          .example("pack", SamplePack.NAME)
          .answers(200, "text/html", Schema.TEXT)
          .answers(404),
      told(
              Route.get("/edge/map/{pack}/style.json")
                  .op("style")
                  .does(new ShowStyle(context, files)),
              "How the pack is drawn.",
              "theme")
          .example("pack", SamplePack.NAME)
          .example("theme", "dark")
          .answers(200, "application/json", ShowStyle.SCHEMA)
          .answers(404),
      told(
              Route.get("/edge/page/{file}").op("page").does(files),
              "Scripts and style sheets of the page.")
          .example("file", "map.js")
          .answers(200, List.of("text/javascript", "text/css"), Schema.TEXT)
          .answers(404),
      told(
              Route.get("/edge/fonts/{fonts}/{range}").op("glyphs").does(new Glyphs()),
              "Letters for labels, by 256.")
          .example("fonts", "Regular")
          .example("range", "0-255.pbf")
          .answers(200, Glyphs.MEDIA_TYPE, Schema.ANY)
          .answers(404)
    };
  }

  /** What every route of packs has: its summary, a capability in the query, and its refusals. */
  private static Route told(Route route, String summary, String... query) {
    String[] names = Arrays.copyOf(query, query.length + 1);
    names[query.length] = EdgeRights.PARAM;
    return route.summary(summary).query(names).answers(401, 403);
  }

  private static PathPattern raw(MountedPacks packs) {
    return new PathPattern(
        "/edge/assets/{pack}",
        values ->
            RawPack.isRaw(values.getFirst())
                && packs
                    .find(values.getFirst().substring(0, values.getFirst().lastIndexOf('.')))
                    .isPresent());
  }

  private static PathPattern tileJson(MountedPacks packs) {
    return new PathPattern(
        "/edge/assets/{tilejson}",
        values ->
            values.getFirst().endsWith(TileJson.ENDING)
                && packs
                    .find(
                        values
                            .getFirst()
                            .substring(0, values.getFirst().length() - TileJson.ENDING.length()))
                    .isPresent());
  }

  private static PathPattern tile(MountedPacks packs) {
    return new PathPattern(
        "/edge/assets/{pack}/{z}/{x}/{y}", values -> packs.find(values.getFirst()).isPresent());
  }
}
