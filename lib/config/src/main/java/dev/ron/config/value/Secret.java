package dev.ron.config.value;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * Text that is never printed: not by {@code ron config}, not in a problem, not in a log that
 * happens to print the record it sits in.
 *
 * <p>Threading: immutable.
 */
public final class Secret {
  public static final String MASK = "***";

  private final String text;

  public Secret(String text) {
    this.text = text;
  }

  /** The text itself, for the one place that needs it. */
  public String reveal() {
    return text;
  }

  public boolean isEmpty() {
    return text.isEmpty();
  }

  /** An unset secret shows as empty: whether it is set is worth knowing, and no secret. */
  String masked() {
    return text.isEmpty() ? "" : MASK;
  }

  /** Takes as long for the first differing byte as for the last. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret
        && MessageDigest.isEqual(
            text.getBytes(StandardCharsets.UTF_8), secret.text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return masked();
  }
}
