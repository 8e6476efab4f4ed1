package dev.ron.sigv4.payload;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The {@code Content-Encoding} that is stored with an object: without {@code aws-chunked}, which
 * says how the body travelled and not what it is.
 *
 * <p>Threading: immutable.
 */
public final class StoredEncoding {
  private StoredEncoding() {}

  /** What is left of the field's values, in their order; empty if nothing is. */
  public static Optional<String> of(List<String> values) {
    String left =
        values.stream()
            .flatMap(value -> Arrays.stream(value.split(",", -1)))
            .map(String::strip)
            .filter(coding -> !coding.isEmpty() && !coding.equalsIgnoreCase("aws-chunked"))
            .collect(Collectors.joining(", "));
    return left.isEmpty() ? Optional.empty() : Optional.of(left);
  }
}
