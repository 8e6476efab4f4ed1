package dev.ron.tilepack;

/** How bytes of a pack are compressed. */
public enum Compression {
  UNKNOWN(0, "unknown"),
  NONE(1, "identity"),
  GZIP(2, "gzip"),
  BROTLI(3, "br"),
  ZSTD(4, "zstd");

  private final int number;
  private final String coding;

  Compression(int number, String coding) {
    this.number = number;
    this.coding = coding;
  }

  /** As PMTiles headers have it. */
  int number() {
    return number;
  }

  /** Its name as an HTTP content coding. */
  public String coding() {
    return coding;
  }
}
