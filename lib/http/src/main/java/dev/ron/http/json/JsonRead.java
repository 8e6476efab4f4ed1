package dev.ron.http.json;

/**
 * What became of a body: a value, or why it is none.
 *
 * <p>Threading: immutable if {@code T} is.
 */
public sealed interface JsonRead<T> {
  record Value<T>(T value) implements JsonRead<T> {}

  record Bad<T>(JsonFault fault) implements JsonRead<T> {}
}
