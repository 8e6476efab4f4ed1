package dev.ron.decode;

/**
 * How large a decoded body may become.
 *
 * <p>Threading: immutable.
 *
 * @param decodedBytesMax of every coding in the chain, not only the last
 * @param ratioMax decoded bytes for each byte on the wire: of every whole body, and of the bytes so
 *     far once {@link #RATIO_WAITS_BYTES} are out
 * @param windowBytesMax how far back a coding may refer, which is memory that one byte can ask for
 */
public record DecodeLimits(long decodedBytesMax, int ratioMax, int windowBytesMax) {
  /**
   * Until this many bytes are out the ratio is not judged before the end of the body. A body may
   * begin with what compresses best, and the network decides how much of it arrives at a time; 64
   * KiB, one I/O chunk, is what every request may cost anyway.
   */
  public static final long RATIO_WAITS_BYTES = 64 * 1024;

  public static final int RATIO_DEFAULT = 10;

  /** What RFC 9659 allows a zstd encoder to ask of an HTTP client; brotli is held to the same. */
  public static final int WINDOW_BYTES_DEFAULT = 8 * 1024 * 1024;

  public DecodeLimits {
    if (decodedBytesMax < 0 || ratioMax < 1 || windowBytesMax < 1024) {
      throw new IllegalArgumentException(
          "decodedBytesMax = %d must not be negative, ratioMax = %d must be at least 1, windowBytesMax = %d at least 1024"
              .formatted(decodedBytesMax, ratioMax, windowBytesMax));
    }
  }

  public static DecodeLimits capped(long decodedBytesMax) {
    return new DecodeLimits(decodedBytesMax, RATIO_DEFAULT, WINDOW_BYTES_DEFAULT);
  }
}
