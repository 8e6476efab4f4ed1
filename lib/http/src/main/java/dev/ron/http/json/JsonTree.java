package dev.ron.http.json;

import dev.ron.http.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a JSON object strictly into maps, lists, texts, longs, booleans and nulls: no name twice,
 * no fraction, no more than it may nest, nothing behind it.
 *
 * <p>Names of fields are repeated to the caller, cut and without controls; values never are.
 *
 * <p>Threading: stateless.
 */
public final class JsonTree {
  private static final int DEPTH_MAX = 8;

  /** Names may be a caller's own, and are told apart by the rules of what they name. */
  private static final int NAME_CHARS_MAX = 4096;

  private static final int NAME_SHOWN_MAX = 60;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MAX)
                  .maxNumberLength(20)
                  .maxNameLength(NAME_CHARS_MAX)
                  // A body has a limit before it is read; one text may be all of it.
                  .maxStringLength(64 << 20)
                  .build())
          .build();

  private JsonTree() {}

  /**
   * @throws Refusal with a {@link JsonFault}
   */
  public static Map<String, @Nullable Object> object(byte[] json) throws Refusal {
    Optional<JsonFault> encoding = JsonEncoding.wrong(json);
    if (encoding.isPresent()) {
      throw Refusal.of(encoding.get());
    }
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw wrong("$", "must be a JSON object");
      }
      Map<String, @Nullable Object> fields = fields(parser, "");
      if (parser.nextToken() != null) {
        throw Refusal.of(new JsonFault.Trailing("$"));
      }
      return fields;
    } catch (StreamConstraintsException past) {
      throw wrong(
          "$",
          "nests deeper than %d, or has a name of more than %d characters or a number of more than 20"
              .formatted(DEPTH_MAX, NAME_CHARS_MAX));
    } catch (JacksonException broken) {
      throw Refusal.of(
          new JsonFault.Syntax(
              "$",
              "is not JSON at line %d, column %d"
                  .formatted(
                      broken.getLocation() == null ? 0 : broken.getLocation().getLineNr(),
                      broken.getLocation() == null ? 0 : broken.getLocation().getColumnNr())));
    }
  }

  private static Map<String, @Nullable Object> fields(JsonParser parser, String place)
      throws Refusal {
    var values = new LinkedHashMap<String, @Nullable Object>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      String at = place + shown(name);
      parser.nextToken();
      if (values.containsKey(name)) {
        throw Refusal.of(new JsonFault.DuplicateKey(at));
      }
      values.put(name, value(parser, at));
    }
    return values;
  }

  private static @Nullable Object value(JsonParser parser, String at) throws Refusal {
    return switch (parser.currentToken()) {
      case START_OBJECT -> fields(parser, at + ".");
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(parser, at + "[" + list.size() + "]"));
        }
        yield list;
      }
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT -> number(parser, at);
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw wrong(at, "must be text, a whole number, an object or a list");
    };
  }

  private static Long number(JsonParser parser, String at) throws Refusal {
    try {
      return Long.valueOf(parser.getString());
    } catch (NumberFormatException tooLarge) {
      throw wrong(at, "is out of range");
    }
  }

  private static Refusal wrong(String place, String what) {
    return Refusal.of(new JsonFault.WrongType(place, what));
  }

  /** A name that a caller made up, fit for an answer and a log. */
  static String shown(String name) {
    String cut = name.length() > NAME_SHOWN_MAX ? name.substring(0, NAME_SHOWN_MAX) : name;
    boolean plain = cut.chars().allMatch(each -> each >= ' ' && each <= '~');
    return plain ? cut : cut.replaceAll("[^ -~]", "?");
  }
}
