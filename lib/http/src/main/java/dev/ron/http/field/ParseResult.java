package dev.ron.http.field;

import java.util.Optional;
import java.util.function.Function;

/**
 * The result of parsing a text: a value, or why there is none. The reason never repeats the text,
 * so it can be logged and answered without carrying what a hostile peer sent.
 *
 * <p>Threading: immutable if {@code T} is.
 */
public sealed interface ParseResult<T> {
  record Ok<T>(T value) implements ParseResult<T> {}

  record Bad<T>(String why) implements ParseResult<T> {}

  static <T> ParseResult<T> ok(T value) {
    return new Ok<>(value);
  }

  static <T> ParseResult<T> bad(String why) {
    return new Bad<>(why);
  }

  /** The value, for callers that need not know why there is none. */
  default Optional<T> asOptional() {
    return switch (this) {
      case Ok<T>(var value) -> Optional.of(value);
      case Bad<T> _ -> Optional.empty();
    };
  }

  default <U> ParseResult<U> map(Function<? super T, ? extends U> change) {
    return switch (this) {
      case Ok<T>(var value) -> new Ok<>(change.apply(value));
      case Bad<T>(var why) -> new Bad<>(why);
    };
  }
}
