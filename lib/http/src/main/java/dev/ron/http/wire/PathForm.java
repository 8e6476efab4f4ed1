package dev.ron.http.wire;

import dev.ron.http.Refusal;

/**
 * The spelling in which a door gets the path of a request.
 *
 * <p>Either way the path has no space, no control character and no byte beyond ASCII that is not
 * escaped, and the path as sent is kept beside it as {@link RequestHead#rawPath()}.
 *
 * <p>Threading: immutable.
 */
public enum PathForm {
  /** The one spelling of {@link NormalPath}; what it cannot spell in one way is refused. */
  NORMAL,

  /**
   * As sent, with dots, doubled slashes and all escapes, also those that are no escapes: for a
   * protocol whose names are bytes and whose signatures cover the path. The handler decodes it.
   */
  RAW;

  String of(String sent) throws Refusal {
    return this == NORMAL ? NormalPath.of(sent) : printable(sent);
  }

  /** A fragment is never sent, and a program on the way that finds one cuts the path there. */
  private static String printable(String sent) throws Refusal {
    for (int i = 0; i < sent.length(); i++) {
      char c = sent.charAt(i);
      if (c <= ' ' || c > '~' || c == '#') {
        throw Refusal.malformed("a character in the path that must be escaped");
      }
    }
    return sent;
  }
}
