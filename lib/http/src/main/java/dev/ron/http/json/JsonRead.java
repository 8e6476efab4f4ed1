package dev.ron.http.json;

/**
 * The result of reading a body: a value, or why there is none.
 *
 * <p>Threading: immutable if {@code T} is.
 */
public sealed interface JsonRead<T> {
  record Value<T>(T value) implements JsonRead<T> {}

  record Bad<T>(JsonFault fault) implements JsonRead<T> {}
}
