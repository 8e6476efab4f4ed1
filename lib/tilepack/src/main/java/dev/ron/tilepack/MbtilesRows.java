package dev.ron.tilepack;

import dev.ron.tilepack.tile.Bounds;
import dev.ron.tilepack.tile.TileCoord;
import dev.ron.tilepack.tile.TileType;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the {@code metadata} rows of MBTiles mean.
 *
 * <p>Threading: stateless.
 */
final class MbtilesRows {
  private MbtilesRows() {}

  static PackHeader header(Map<String, String> rows, MbtilesQueries queries)
      throws PackRefusal, SQLException, InterruptedException {
    TileType type =
        TileType.ofFormat(rows.getOrDefault("format", ""))
            .orElseThrow(
                () ->
                    new PackRefusal(
                        new PackFault.BadMetadata("format must be pbf, png, jpg, webp or avif")));
    int zoomMin = zoom(rows, "minzoom", queries);
    int zoomMax = zoom(rows, "maxzoom", queries);
    if (zoomMin > zoomMax) {
      throw new PackRefusal(
          new PackFault.BadMetadata("minzoom %d is above maxzoom %d".formatted(zoomMin, zoomMax)));
    }
    Bounds bounds = bounds(rows.get("bounds"));
    return new PackHeader(
        PackHeader.Format.MBTILES,
        type,
        type.isVector() ? Compression.GZIP : Compression.NONE,
        zoomMin,
        zoomMax,
        bounds,
        center(rows.get("center"), bounds, zoomMin, zoomMax),
        0,
        0);
  }

  static PackMetadata metadata(Map<String, String> rows) throws PackRefusal {
    String json = rows.getOrDefault("json", "");
    return new PackMetadata(
        PackMetadata.cut(rows.getOrDefault("name", "")),
        PackMetadata.cut(rows.getOrDefault("description", "")),
        PackMetadata.cut(rows.getOrDefault("attribution", "")),
        json.isEmpty()
            ? PackMetadata.NONE.vectorLayers()
            : PackMetadata.layers(json.getBytes(StandardCharsets.UTF_8)));
  }

  /** Vector tiles must be gzipped, and some writers forget; pictures never are. */
  static Compression compression(TileType type, byte[] stored) {
    boolean gzipped = stored.length > 2 && stored[0] == 0x1f && stored[1] == (byte) 0x8b;
    return type.isVector() && gzipped ? Compression.GZIP : Compression.NONE;
  }

  private static int zoom(Map<String, String> rows, String name, MbtilesQueries queries)
      throws PackRefusal, SQLException, InterruptedException {
    String said = rows.get(name);
    if (said == null) {
      return queries.zoom(name.equals("minzoom"));
    }
    if (!said.matches("[0-9]{1,2}") || Integer.parseInt(said) > TileCoord.ZOOM_MAX) {
      throw new PackRefusal(new PackFault.BadMetadata(name + " is not within 0 to 31"));
    }
    return Integer.parseInt(said);
  }

  private static Bounds bounds(@Nullable String said) throws PackRefusal {
    if (said == null) {
      return Bounds.WORLD;
    }
    double[] degrees = numbers(said, 4, "bounds");
    try {
      return Bounds.ofDegrees(degrees[0], degrees[1], degrees[2], degrees[3]);
    } catch (IllegalArgumentException | ArithmeticException outside) {
      throw new PackRefusal(
          new PackFault.BadMetadata("bounds are not on the earth: " + outside.getMessage()));
    }
  }

  private static PackHeader.Center center(
      @Nullable String said, Bounds bounds, int zoomMin, int zoomMax) throws PackRefusal {
    if (said == null) {
      return PackHeader.Center.of(bounds, zoomMin);
    }
    double[] at = numbers(said, 3, "center");
    return new PackHeader.Center(
        (int) Math.clamp(at[2], zoomMin, zoomMax),
        (int) Math.clamp(at[0] * 1e7, bounds.westE7(), bounds.eastE7()),
        (int) Math.clamp(at[1] * 1e7, bounds.southE7(), bounds.northE7()));
  }

  private static double[] numbers(String text, int count, String name) throws PackRefusal {
    String[] parts = text.split(",", count + 1);
    double[] numbers = new double[count];
    for (int i = 0; i < count; i++) {
      String part = i < parts.length ? parts[i].strip() : "";
      if (parts.length != count || !part.matches("-?[0-9]{1,5}(\\.[0-9]{1,20})?")) {
        throw new PackRefusal(
            new PackFault.BadMetadata("%s are not %d numbers".formatted(name, count)));
      }
      numbers[i] = Double.parseDouble(part);
    }
    return numbers;
  }
}
