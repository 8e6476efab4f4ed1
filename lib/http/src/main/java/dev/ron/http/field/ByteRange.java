package dev.ron.http.field;

/**
 * A stretch of a representation, both ends included; never empty.
 *
 * <p>Threading: immutable.
 */
public record ByteRange(long first, long last) {
  public ByteRange {
    if (first < 0 || last < first || last == Long.MAX_VALUE) {
      throw new IllegalArgumentException("not a byte range: " + first + "-" + last);
    }
  }

  public long bytes() {
    return last - first + 1;
  }

  public boolean overlaps(ByteRange other) {
    return first <= other.last && other.first <= last;
  }
}
