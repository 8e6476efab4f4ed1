package dev.ron.http.field;

import dev.ron.decode.ContentCoding;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Which codings a client takes, and with which preference (RFC 9110 section 12.5.3).
 *
 * <p>An element that cannot be read is skipped, and what stands behind {@link #ELEMENTS_MAX} is not
 * read: the worst that follows is an answer without a coding, which every client understands.
 *
 * <p>Threading: immutable.
 */
public final class AcceptEncoding {
  static final int ELEMENTS_MAX = 32;

  private final Map<ContentCoding, Integer> thousandths;

  private AcceptEncoding(Map<ContentCoding, Integer> thousandths) {
    this.thousandths = thousandths;
  }

  /** Without the field every coding would be allowed; the careful reading is plain bytes. */
  public static AcceptEncoding parse(List<String> lines) {
    var found = new EnumMap<ContentCoding, Integer>(ContentCoding.class);
    int others = -1;
    var cursor = new FieldCursor(String.join(",", lines));
    for (int read = 0; read < ELEMENTS_MAX && !cursor.atEnd(); read++) {
      cursor.skipBlanks();
      String name = cursor.token();
      int weight = weight(cursor);
      if (weight >= 0 && name.equals("*")) {
        others = weight;
      } else if (weight >= 0) {
        ContentCoding.of(name).ifPresent(coding -> found.putIfAbsent(coding, weight));
      }
      cursor.skipElement();
      cursor.take(',');
    }
    for (ContentCoding coding : ContentCoding.values()) {
      if (others >= 0) {
        found.putIfAbsent(coding, others);
      }
    }
    // Plain bytes are taken, with the least preference, unless they are ruled out.
    found.putIfAbsent(ContentCoding.IDENTITY, 1);
    return new AcceptEncoding(found);
  }

  /** From 0 (not at all) to 1000. */
  public int thousandths(ContentCoding coding) {
    return thousandths.getOrDefault(coding, 0);
  }

  /** Reads {@code ;q=} and up to three decimals; 1000 if there is none, -1 if it cannot be read. */
  private static int weight(FieldCursor cursor) {
    cursor.skipBlanks();
    if (cursor.atEnd() || cursor.peek() == ',') {
      return 1000;
    }
    if (!cursor.take(';')) {
      return -1;
    }
    cursor.skipBlanks();
    if (!cursor.take('q') && !cursor.take('Q')) {
      return -1;
    }
    char whole = cursor.take('=') ? cursor.next() : 'x';
    int value = whole == '0' || whole == '1' ? (whole - '0') * 1000 : -1;
    if (value >= 0 && cursor.take('.')) {
      for (int unit = 100; unit > 0 && FieldCursor.isDigit(cursor.peek()); unit /= 10) {
        value += (cursor.next() - '0') * unit;
      }
    }
    cursor.skipBlanks();
    return value <= 1000 && (cursor.atEnd() || cursor.peek() == ',') ? value : -1;
  }
}
