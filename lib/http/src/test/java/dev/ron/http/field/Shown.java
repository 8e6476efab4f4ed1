package dev.ron.http.field;

/** How a result stands in a table: the value's text, or {@code bad: why}. */
final class Shown {
  private Shown() {}

  static String of(Parsed<?> parsed) {
    return switch (parsed) {
      case Parsed.Ok<?>(var value) -> value.toString();
      case Parsed.Bad<?>(var why) -> "bad: " + why;
    };
  }
}
