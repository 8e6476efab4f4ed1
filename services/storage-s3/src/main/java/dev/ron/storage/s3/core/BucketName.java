package dev.ron.storage.s3.core;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of a bucket: 3 to 63 of {@code a-z 0-9 . -}, as it stands in a path or before a domain.
 *
 * <p>Threading: immutable.
 */
public record BucketName(String text) {
  private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
  private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(?:\\.\\d{1,3}){3}");

  public BucketName {
    if (!isName(text)) {
      throw new IllegalArgumentException(text + " is no name for a bucket");
    }
  }

  /** Empty if the text is no name for a bucket. */
  public static Optional<BucketName> of(String text) {
    return isName(text) ? Optional.of(new BucketName(text)) : Optional.empty();
  }

  /** Labels of a host name, none of them empty or at a dash; what looks like an address is none. */
  private static boolean isName(String text) {
    return FORM.matcher(text).matches()
        && !text.contains("..")
        && !text.contains(".-")
        && !text.contains("-.")
        && !text.startsWith("xn--")
        && !text.endsWith("-s3alias")
        && !ADDRESS.matcher(text).matches();
  }

  @Override
  public String toString() {
    return text;
  }
}
