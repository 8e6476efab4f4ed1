package dev.ron.http.field;

import java.util.Optional;
import java.util.function.Function;

/**
 * What became of a text: a value, or why it is none. The reason never repeats the text, so it can
 * be logged and answered without carrying what a hostile peer sent.
 *
 * <p>Threading: immutable if {@code T} is.
 */
public sealed interface Parsed<T> {
  record Ok<T>(T value) implements Parsed<T> {}

  record Bad<T>(String why) implements Parsed<T> {}

  static <T> Parsed<T> ok(T value) {
    return new Ok<>(value);
  }

  static <T> Parsed<T> bad(String why) {
    return new Bad<>(why);
  }

  /** The value, for those who need not know why there is none. */
  default Optional<T> asOptional() {
    return switch (this) {
      case Ok<T>(var value) -> Optional.of(value);
      case Bad<T> _ -> Optional.empty();
    };
  }

  default <U> Parsed<U> map(Function<? super T, ? extends U> change) {
    return switch (this) {
      case Ok<T>(var value) -> new Ok<>(change.apply(value));
      case Bad<T>(var why) -> new Bad<>(why);
    };
  }
}
