package dev.ron.storage.s3.core;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of a bucket: 3 to 63 of {@code a-z 0-9 . -}, as it stands in a path or before a domain.
 *
 * <p>Threading: immutable.
 */
public record BucketName(String text) {
  private static final int CHARS_MIN = 3;
  private static final int CHARS_MAX = 63;
  private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(?:\\.\\d{1,3}){3}");

  /** The bucket of records that machines of a cluster keep for themselves: no request names it. */
  public static final BucketName RECORDS = new BucketName("ron--records");

  public BucketName {
    if (!isName(text)) {
      throw new IllegalArgumentException(text + " is no name for a bucket");
    }
  }

  /** Empty if the text is no name for a bucket of a client. */
  public static Optional<BucketName> of(String text) {
    return isName(text) && !text.equals(RECORDS.text)
        ? Optional.of(new BucketName(text))
        : Optional.empty();
  }

  /** Labels of a host name, none of them empty or at a dash; what looks like an address is none. */
  private static boolean isName(String text) {
    return isForm(text)
        && !text.contains("..")
        && !text.contains(".-")
        && !text.contains("-.")
        && !text.startsWith("xn--")
        && !text.endsWith("-s3alias")
        && !(isDigit(text.charAt(0)) && ADDRESS.matcher(text).matches());
  }

  private static boolean isForm(String text) {
    if (text.length() < CHARS_MIN || text.length() > CHARS_MAX) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean inside = i > 0 && i < text.length() - 1;
      if (!isAlphanumeric(c) && !(inside && (c == '.' || c == '-'))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAlphanumeric(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z');
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  @Override
  public String toString() {
    return text;
  }
}
