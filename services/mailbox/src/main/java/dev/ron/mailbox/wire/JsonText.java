package dev.ron.mailbox.wire;

import dev.ron.http.Refusal;
import dev.ron.http.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads JSON strictly: one object, no name twice, no more than it may nest, nothing behind it.
 *
 * <p>Not into records, as {@link Json} does, but into the form that {@link ProtoForm} fills as
 * well: so a verb reads its fields once, whichever way they came.
 *
 * <p>Names of fields are repeated to the caller, cut and without controls; values never are.
 *
 * <p>Threading: immutable.
 */
public final class JsonText {
  private static final int DEPTH_MAX = 5;
  private static final int NAME_CHARS_MAX = 60;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MAX)
                  .maxNumberLength(20)
                  .maxNameLength(256)
                  .maxStringLength(64 << 20)
                  .build())
          .build();

  private JsonText() {}

  /** The object that the bytes are; no bytes are the empty object. */
  public static Fields object(byte[] json) throws Refusal {
    if (json.length == 0) {
      return new Fields("", new LinkedHashMap<>());
    }
    if (!Json.mayBeUtf8(json)) {
      throw Fields.wrong("$", "is not UTF-8");
    }
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw Fields.wrong("$", "must be a JSON object");
      }
      Fields fields = fields(parser, "");
      if (parser.nextToken() != null) {
        throw Fields.wrong("$", "is followed by more");
      }
      return fields;
    } catch (JacksonException broken) {
      throw Fields.wrong(
          "$",
          "is not JSON at line %d, column %d"
              .formatted(
                  broken.getLocation() == null ? 0 : broken.getLocation().getLineNr(),
                  broken.getLocation() == null ? 0 : broken.getLocation().getColumnNr()));
    }
  }

  private static Fields fields(JsonParser parser, String place) throws Refusal {
    var values = new LinkedHashMap<String, Object>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      String at = place + shown(name);
      parser.nextToken();
      Object value = value(parser, at);
      if (values.put(name, value) != null) {
        throw Fields.wrong(at, "is there twice");
      }
    }
    return new Fields(place, values);
  }

  private static Object value(JsonParser parser, String at) throws Refusal {
    return switch (parser.currentToken()) {
      case START_OBJECT -> fields(parser, at + ".");
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(parser, at + "[" + list.size() + "]"));
        }
        yield list;
      }
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT -> number(parser, at);
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> throw Fields.wrong(at, "must not be null; leave it out instead");
      default -> throw Fields.wrong(at, "must be text, a whole number, an object or a list");
    };
  }

  private static Long number(JsonParser parser, String at) throws Refusal {
    try {
      return Long.valueOf(parser.getString());
    } catch (NumberFormatException tooLarge) {
      throw Fields.wrong(at, "is out of range");
    }
  }

  /** A name from a stranger, fit for an answer and a log. */
  static String shown(String name) {
    String cut = name.length() > NAME_CHARS_MAX ? name.substring(0, NAME_CHARS_MAX) : name;
    boolean plain = cut.chars().allMatch(each -> each >= ' ' && each <= '~');
    return plain ? cut : cut.replaceAll("[^ -~]", "?");
  }
}
