package dev.ron.tilepack.tile;

import java.util.Optional;

/** What a tile is. */
public enum TileType {
  UNKNOWN(0, "bin", "application/octet-stream"),
  MVT(1, "mvt", "application/vnd.mapbox-vector-tile"),
  PNG(2, "png", "image/png"),
  JPEG(3, "jpg", "image/jpeg"),
  WEBP(4, "webp", "image/webp"),
  AVIF(5, "avif", "image/avif"),
  MLT(6, "mlt", "application/vnd.maplibre-vector-tile");

  private final int number;
  private final String extension;
  private final String mediaType;

  TileType(int number, String extension, String mediaType) {
    this.number = number;
    this.extension = extension;
    this.mediaType = mediaType;
  }

  /** As PMTiles headers have it. */
  public int number() {
    return number;
  }

  public String extension() {
    return extension;
  }

  public String mediaType() {
    return mediaType;
  }

  public boolean isVector() {
    return this == MVT || this == MLT;
  }

  /** Whether a client that asks for this extension means this type. */
  public boolean answersTo(String asked) {
    return asked.equals(extension)
        || (this == MVT && asked.equals("pbf"))
        || (this == JPEG && asked.equals("jpeg"));
  }

  /** What the {@code format} of MBTiles calls it. */
  public static Optional<TileType> ofFormat(String format) {
    for (TileType type : values()) {
      if (type != UNKNOWN && (type.answersTo(format) || type.mediaType.equals(format))) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }
}
