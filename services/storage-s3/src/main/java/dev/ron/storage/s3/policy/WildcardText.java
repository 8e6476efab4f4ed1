package dev.ron.storage.s3.policy;

/**
 * A text in which {@code *} stands for any characters and {@code ?} for one.
 *
 * <p>Threading: immutable.
 */
public record WildcardText(String text) {
  /** Takes time in the product of both lengths at most, whatever the text looks like. */
  public boolean matches(String value) {
    int at = 0;
    int in = 0;
    int star = -1;
    int resume = 0;
    while (in < value.length()) {
      char wanted = at < text.length() ? text.charAt(at) : 0;
      if (at < text.length() && wanted == '*') {
        star = at++;
        resume = in;
      } else if (at < text.length() && (wanted == '?' || wanted == value.charAt(in))) {
        at++;
        in++;
      } else if (star >= 0) {
        at = star + 1;
        in = ++resume;
      } else {
        return false;
      }
    }
    while (at < text.length() && text.charAt(at) == '*') {
      at++;
    }
    return at == text.length();
  }
}
