package dev.ron.config.value;

/**
 * Bytes per second, written as a size and {@code /s}: {@code 50MiB/s}.
 *
 * <p>Threading: immutable.
 */
public record ByteRate(long bytesPerSecond) implements Comparable<ByteRate> {
  public static final ByteRate ZERO = new ByteRate(0);

  private static final String SUFFIX = "/s";

  public ByteRate {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException(
          "bytesPerSecond = " + bytesPerSecond + " must not be negative");
    }
  }

  /** Reads {@code 50MiB/s}. Only seconds: a rate per hour says nothing about a burst. */
  public static ByteRate parse(String text) {
    if (!text.endsWith(SUFFIX)) {
      throw new IllegalArgumentException("must be a rate: a size and /s, as in 50MiB/s");
    }
    String size = text.substring(0, text.length() - SUFFIX.length());
    return new ByteRate(ByteSize.parse(size).bytes());
  }

  @Override
  public int compareTo(ByteRate other) {
    return Long.compare(bytesPerSecond, other.bytesPerSecond);
  }

  /** {@link #parse} reads it back. */
  @Override
  public String toString() {
    return new ByteSize(bytesPerSecond) + SUFFIX;
  }
}
