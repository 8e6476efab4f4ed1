package dev.ron.http.field;

import java.util.HexFormat;

/**
 * What stands between two slashes of a {@link RequestPath}.
 *
 * <p>Threading: immutable.
 *
 * @param encoded with only those percent-encodings that are needed
 * @param decoded as text
 */
record PathSegment(String encoded, String decoded) {
  private static final HexFormat CAPITALS = HexFormat.of().withUpperCase();

  static Parsed<PathSegment> parse(String raw, int from, int to) {
    var encoded = new StringBuilder();
    var octets = new Utf8();
    for (int i = from; i < to; i++) {
      char c = raw.charAt(i);
      if (c != '%') {
        if (!isPathChar(c)) {
          return Parsed.bad("a character that must be percent-encoded in a path");
        }
        encoded.append(c);
        octets.add(c);
        continue;
      }
      int octet = i + 2 < to ? Hex.either(raw.charAt(i + 1), raw.charAt(i + 2)) : -1;
      if (octet < 0) {
        return Parsed.bad("a percent sign without two hex digits");
      }
      if (octet < 0x20 || octet == 0x7f || octet == '/' || octet == '\\') {
        return Parsed.bad("an encoded slash, backslash or control");
      }
      if (isUnreserved(octet)) {
        encoded.append((char) octet);
      } else {
        CAPITALS.toHexDigits(encoded.append('%'), (byte) octet);
      }
      octets.add(octet);
      i += 2;
    }
    String decoded = octets.text();
    if (decoded == null) {
      return Parsed.bad("a path that is not UTF-8");
    }
    if (decoded.codePoints().anyMatch(Character::isISOControl)) {
      return Parsed.bad("an encoded control");
    }
    return decoded.startsWith(".;") || decoded.startsWith("..;")
        ? Parsed.bad("a dot segment with a parameter")
        : Parsed.ok(new PathSegment(encoded.toString(), decoded));
  }

  boolean isDot() {
    return encoded.equals(".");
  }

  boolean isParent() {
    return encoded.equals("..");
  }

  private static boolean isUnreserved(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '~';
  }

  private static boolean isPathChar(char c) {
    return isUnreserved(c) || "!$&'()*+,;=:@".indexOf(c) >= 0;
  }
}
