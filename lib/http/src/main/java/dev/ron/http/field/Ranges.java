package dev.ron.http.field;

import java.util.ArrayList;
import java.util.List;

/**
 * What a Range field selects from a representation of a known length (RFC 9110 section 14).
 *
 * <p>What may be ignored is ignored rather than refused, so a client always gets its bytes: an
 * unknown unit, bad syntax, more ranges than {@link #RANGES_MAX}, a range that overlaps two others,
 * and ranges that add up to more than the whole, which is what makes overlapping ranges an attack.
 *
 * <p>Threading: immutable.
 */
public sealed interface Ranges {
  int RANGES_MAX = 16;

  /** Sixteen ranges of two 19-digit numbers, with room; nothing longer is worth reading. */
  int CHARS_MAX = 1024;

  /** No Range field, or nothing to cut: 200 with everything. */
  record Whole() implements Ranges {}

  /** 206 with one Content-Range. */
  record Single(ByteRange range) implements Ranges {}

  /** 206 with multipart/byteranges, in the order asked for. */
  record Several(List<ByteRange> ranges) implements Ranges {
    public Several {
      ranges = List.copyOf(ranges);
      if (ranges.size() < 2) {
        throw new IllegalArgumentException("several ranges are at least two");
      }
    }
  }

  /** 416 with the length. */
  record Unsatisfiable(long bytesTotal) implements Ranges {}

  /** 200 with everything, although a Range field was there. */
  record Ignored(String why) implements Ranges {}

  /**
   * @param lines the lines of the Range field; more than one is no valid Range
   */
  static Ranges select(List<String> lines, long bytesTotal) {
    if (bytesTotal < 0) {
      throw new IllegalArgumentException("bytesTotal = " + bytesTotal + " must not be negative");
    }
    return switch (lines.size()) {
      case 0 -> new Whole();
      case 1 -> select(lines.getFirst(), bytesTotal);
      default -> new Ignored("several Range fields");
    };
  }

  private static Ranges select(String text, long bytesTotal) {
    if (text.length() > CHARS_MAX) {
      return new Ignored("longer than " + CHARS_MAX + " characters");
    }
    var cursor = new FieldCursor(text);
    if (!cursor.token().equalsIgnoreCase("bytes") || !cursor.take('=')) {
      return new Ignored("a unit other than bytes");
    }
    var found = new ArrayList<ByteRange>();
    int specs = 0;
    boolean empty = false;
    cursor.skipBlanks();
    while (!cursor.atEnd()) {
      if (!cursor.take(',')) {
        long first = number(cursor);
        boolean dash = cursor.take('-');
        long last = number(cursor);
        cursor.skipBlanks();
        boolean ends = cursor.atEnd() || cursor.peek() == ',';
        if (!dash
            || !ends
            || (first < 0 && last < 0)
            || (first >= 0 && last >= 0 && last < first)) {
          return new Ignored("not a list of byte ranges");
        }
        if (++specs > RANGES_MAX) {
          return new Ignored("more than " + RANGES_MAX + " ranges");
        }
        empty |= first < 0 && last > 0 && bytesTotal == 0;
        add(found, first, last, bytesTotal);
      }
      cursor.skipBlanks();
    }
    if (specs == 0) {
      return new Ignored("not a list of byte ranges");
    }
    // The last n bytes of nothing can be satisfied, but no Content-Range can say so.
    return empty ? new Whole() : of(found, bytesTotal);
  }

  private static Ranges of(List<ByteRange> ranges, long bytesTotal) {
    if (ranges.isEmpty()) {
      return new Unsatisfiable(bytesTotal);
    }
    if (ranges.size() == 1) {
      return new Single(ranges.getFirst());
    }
    long left = bytesTotal;
    for (ByteRange range : ranges) {
      left -= range.bytes();
      if (left < 0) {
        return new Ignored("more bytes than the whole");
      }
      if (ranges.stream().filter(range::overlaps).count() > 2) {
        return new Ignored("more than two overlapping ranges");
      }
    }
    return new Several(ranges);
  }

  /** Adds what there is of one range; -1 stands for a number left out. */
  private static void add(List<ByteRange> found, long first, long last, long bytesTotal) {
    if (first < 0) {
      if (last > 0 && bytesTotal > 0) {
        found.add(new ByteRange(Math.max(0, bytesTotal - last), bytesTotal - 1));
      }
    } else if (first < bytesTotal) {
      found.add(new ByteRange(first, last < 0 ? bytesTotal - 1 : Math.min(last, bytesTotal - 1)));
    }
  }

  /** Too large is as large as can be: it lies beyond any representation either way. */
  private static long number(FieldCursor cursor) {
    if (!FieldCursor.isDigit(cursor.peek())) {
      return -1;
    }
    long value = 0;
    while (FieldCursor.isDigit(cursor.peek())) {
      int digit = cursor.next() - '0';
      value = value > (Long.MAX_VALUE - digit) / 10 ? Long.MAX_VALUE : value * 10 + digit;
    }
    return value;
  }
}
