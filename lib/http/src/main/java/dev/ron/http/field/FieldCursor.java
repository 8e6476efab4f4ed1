package dev.ron.http.field;

import org.jspecify.annotations.Nullable;

/**
 * A place in a field value, with the few productions of RFC 9110 section 5.6 that all lists share.
 * Every method moves forward or stays; none looks further than the text.
 *
 * <p>Threading: owned by the parser that made it.
 */
final class FieldCursor {
  /** What {@link #peek} answers at the end; no octet has this value. */
  static final char END = '\uffff';

  private final String text;
  private int at;

  FieldCursor(String text) {
    this.text = text;
  }

  boolean atEnd() {
    return at >= text.length();
  }

  int at() {
    return at;
  }

  char peek() {
    return atEnd() ? END : text.charAt(at);
  }

  char next() {
    char found = peek();
    at++;
    return found;
  }

  boolean take(char wanted) {
    if (peek() != wanted || atEnd()) {
      return false;
    }
    at++;
    return true;
  }

  /** OWS: spaces and tabs. */
  void skipBlanks() {
    while (peek() == ' ' || peek() == '\t') {
      at++;
    }
  }

  void skipSpaces() {
    while (peek() == ' ') {
      at++;
    }
  }

  /**
   * Moves to the next comma outside quotes, or the end: how tolerant lists drop one bad element.
   */
  void skipElement() {
    boolean quoted = false;
    for (; !atEnd(); at++) {
      char found = text.charAt(at);
      if (quoted && found == '\\') {
        at++;
      } else if (found == '"') {
        quoted = !quoted;
      } else if (found == ',' && !quoted) {
        return;
      }
    }
  }

  /** A token, or the empty string if none starts here. */
  String token() {
    int start = at;
    while (!atEnd() && isTokenChar(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  /** The content of a quoted-string, unescaped; null if it is none or does not end. */
  @Nullable String quoted() {
    if (!take('"')) {
      return null;
    }
    var content = new StringBuilder();
    while (!atEnd()) {
      char found = next();
      if (found == '"') {
        return content.toString();
      }
      if (found == '\\') {
        found = next();
      }
      if (!isQuotable(found)) {
        return null;
      }
      content.append(found);
    }
    return null;
  }

  static boolean isTokenChar(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }

  static boolean isToken(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> isTokenChar((char) c));
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isQuotable(char c) {
    return c == '\t' || (c >= ' ' && c <= '~') || (c >= 0x80 && c <= 0xff);
  }
}
