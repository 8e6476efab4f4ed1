package dev.ron.http.field;

import java.util.ArrayList;
import java.util.List;

/**
 * The value of If-Match or If-None-Match.
 *
 * <p>Threading: immutable.
 */
public sealed interface ETags {
  /** A client revalidates a handful of stored answers; more is a probe for slow comparison. */
  int TAGS_MAX = 256;

  /** {@code *}: whatever there is. */
  record Any() implements ETags {}

  record Listed(List<ETag> tags) implements ETags {
    public Listed {
      tags = List.copyOf(tags);
      if (tags.isEmpty() || tags.size() > TAGS_MAX) {
        throw new IllegalArgumentException("from 1 to " + TAGS_MAX + " entity tags");
      }
    }
  }

  /** All lines of the field; empty list elements are skipped, as a recipient must. */
  static ParseResult<ETags> parse(List<String> lines) {
    String text = String.join(",", lines);
    if (text.strip().equals("*")) {
      return ParseResult.ok(new Any());
    }
    var cursor = new FieldCursor(text);
    var tags = new ArrayList<ETag>();
    cursor.skipBlanks();
    while (!cursor.atEnd()) {
      if (!cursor.take(',')) {
        switch (ETag.read(cursor, text)) {
          case ParseResult.Ok<ETag>(var tag) -> tags.add(tag);
          case ParseResult.Bad<ETag>(var why) -> {
            return ParseResult.bad(why);
          }
        }
        cursor.skipBlanks();
        if (!cursor.atEnd() && cursor.peek() != ',') {
          return ParseResult.bad("entity tags are separated by commas");
        }
      }
      if (tags.size() > TAGS_MAX) {
        return ParseResult.bad("more than " + TAGS_MAX + " entity tags");
      }
      cursor.skipBlanks();
    }
    return tags.isEmpty() ? ParseResult.bad("no entity tag") : ParseResult.ok(new Listed(tags));
  }

  /** For writes: {@code *} matches what exists, a tag only its own strong representation. */
  default boolean matchesStrongly(ETag current) {
    return switch (this) {
      case Any _ -> true;
      case Listed(var tags) -> tags.stream().anyMatch(current::matchesStrongly);
    };
  }

  default boolean matchesWeakly(ETag current) {
    return switch (this) {
      case Any _ -> true;
      case Listed(var tags) -> tags.stream().anyMatch(current::matchesWeakly);
    };
  }
}
