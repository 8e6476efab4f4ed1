package dev.ron.storage.s3.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request, decoded once, in their order.
 *
 * <p>Threading: immutable.
 */
public record S3Query(List<Parameter> parameters) {
  private static final int PARAMETERS_MAX = 128;
  private static final S3Query NONE = new S3Query(List.of());

  /** A name with its value, which is empty where there was no equals sign. */
  public record Parameter(String name, String value) {}

  public S3Query {
    parameters = List.copyOf(parameters);
  }

  /**
   * @param raw as sent, without the question mark; null if there was none
   */
  public static S3Query parse(@Nullable String raw) throws Refusal {
    if (raw == null || raw.isEmpty()) {
      return NONE;
    }
    var parameters = new ArrayList<Parameter>();
    int end;
    for (int from = 0; from < raw.length(); from = end + 1) {
      int and = raw.indexOf('&', from);
      end = and < 0 ? raw.length() : and;
      if (end > from) {
        add(parameters, raw.substring(from, end));
      }
    }
    return new S3Query(parameters);
  }

  /**
   * A field that is written as a form is, where a plus sign is a space. In the query it is itself,
   * as it is in what is signed: read as a space, one could be put there in the place of another.
   */
  public static S3Query form(String text) throws Refusal {
    var parameters = new ArrayList<Parameter>();
    for (String piece : text.replace('+', ' ').split("&", PARAMETERS_MAX + 1)) {
      add(parameters, piece);
    }
    return new S3Query(parameters);
  }

  private static void add(List<Parameter> parameters, String piece) throws Refusal {
    if (parameters.size() == PARAMETERS_MAX) {
      throw Refusal.of(new S3Fault.InvalidURI("more than " + PARAMETERS_MAX + " parameters"));
    }
    int equals = piece.indexOf('=');
    String name = equals < 0 ? piece : piece.substring(0, equals);
    String value = equals < 0 ? "" : piece.substring(equals + 1);
    parameters.add(
        new Parameter(new String(decoded(name), UTF_8), new String(decoded(value), UTF_8)));
  }

  /** The bytes behind percent escapes; each character is one byte of the wire. */
  public static byte[] decoded(String escaped) throws Refusal {
    if (escaped.indexOf('%') < 0) {
      return escaped.getBytes(ISO_8859_1);
    }
    var bytes = new ByteArrayOutputStream(escaped.length());
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      if (c != '%') {
        bytes.write(c);
        continue;
      }
      boolean whole = i + 2 < escaped.length();
      int high = whole ? Character.digit(escaped.charAt(i + 1), 16) : -1;
      int low = whole ? Character.digit(escaped.charAt(i + 2), 16) : -1;
      if (high < 0 || low < 0) {
        throw Refusal.of(new S3Fault.InvalidURI("a % that no two hex digits follow"));
      }
      bytes.write(high << 4 | low);
      i += 2;
    }
    return bytes.toByteArray();
  }

  public boolean has(String name) {
    return value(name).isPresent();
  }

  /** The first of that name. */
  public Optional<String> value(String name) {
    for (Parameter each : parameters) {
      if (each.name().equals(name)) {
        return Optional.of(each.value());
      }
    }
    return Optional.empty();
  }

  /** A whole number, or the default where it is absent. */
  public int number(String name, int usual, int min, int max) throws Refusal {
    Optional<String> text = value(name).filter(value -> !value.isEmpty());
    if (text.isEmpty()) {
      return usual;
    }
    try {
      int number = Integer.parseInt(text.get());
      if (number >= min) {
        return Math.min(number, max);
      }
    } catch (NumberFormatException _) {
      // said below
    }
    throw Refusal.of(
        new S3Fault.InvalidArgument(
            "%s = %s, must be a number from %d to %d".formatted(name, text.get(), min, max)));
  }
}
