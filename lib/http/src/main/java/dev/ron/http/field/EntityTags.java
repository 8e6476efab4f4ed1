package dev.ron.http.field;

import java.util.ArrayList;
import java.util.List;

/**
 * The value of If-Match or If-None-Match.
 *
 * <p>Threading: immutable.
 */
public sealed interface EntityTags {
  /** A client revalidates a handful of stored answers; more is a probe for slow comparison. */
  int TAGS_MAX = 256;

  /** {@code *}: whatever there is. */
  record Any() implements EntityTags {}

  record Listed(List<EntityTag> tags) implements EntityTags {
    public Listed {
      tags = List.copyOf(tags);
      if (tags.isEmpty() || tags.size() > TAGS_MAX) {
        throw new IllegalArgumentException("from 1 to " + TAGS_MAX + " entity tags");
      }
    }
  }

  /** All lines of the field; empty list elements are skipped, as a recipient must. */
  static Parsed<EntityTags> parse(List<String> lines) {
    String text = String.join(",", lines);
    if (text.strip().equals("*")) {
      return Parsed.ok(new Any());
    }
    var cursor = new FieldCursor(text);
    var tags = new ArrayList<EntityTag>();
    cursor.skipBlanks();
    while (!cursor.atEnd()) {
      if (!cursor.take(',')) {
        switch (EntityTag.read(cursor, text)) {
          case Parsed.Ok<EntityTag>(var tag) -> tags.add(tag);
          case Parsed.Bad<EntityTag>(var why) -> {
            return Parsed.bad(why);
          }
        }
        cursor.skipBlanks();
        if (!cursor.atEnd() && cursor.peek() != ',') {
          return Parsed.bad("entity tags are separated by commas");
        }
      }
      if (tags.size() > TAGS_MAX) {
        return Parsed.bad("more than " + TAGS_MAX + " entity tags");
      }
      cursor.skipBlanks();
    }
    return tags.isEmpty() ? Parsed.bad("no entity tag") : Parsed.ok(new Listed(tags));
  }

  /** For writes: {@code *} matches what exists, a tag only its own strong representation. */
  default boolean matchesStrongly(EntityTag current) {
    return switch (this) {
      case Any _ -> true;
      case Listed(var tags) -> tags.stream().anyMatch(current::matchesStrongly);
    };
  }

  default boolean matchesWeakly(EntityTag current) {
    return switch (this) {
      case Any _ -> true;
      case Listed(var tags) -> tags.stream().anyMatch(current::matchesWeakly);
    };
  }
}
