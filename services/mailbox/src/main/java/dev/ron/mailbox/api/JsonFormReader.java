package dev.ron.mailbox.api;

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
 * <p>Not into records, as {@link Json} does, but into the form that {@code ProtoFormReader} fills
 * as well: so a verb reads its fields once, whichever way they came.
 *
 * <p>Names of fields are repeated to the caller, cut and without controls; values never are.
 *
 * <p>Threading: immutable.
 */
public final class JsonFormReader {
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

  private JsonFormReader() {}

  /** The object that the bytes are; no bytes are the empty object. */
  public static MailboxForm object(byte[] json) throws Refusal {
    if (json.length == 0) {
      return new MailboxForm("", new LinkedHashMap<>());
    }
    if (!Json.mayBeUtf8(json)) {
      throw MailboxForm.wrong("$", "is not UTF-8");
    }
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw MailboxForm.wrong("$", "must be a JSON object");
      }
      MailboxForm fields = fields(parser, "");
      if (parser.nextToken() != null) {
        throw MailboxForm.wrong("$", "is followed by more");
      }
      return fields;
    } catch (JacksonException broken) {
      throw MailboxForm.wrong(
          "$",
          "is not JSON at line %d, column %d"
              .formatted(
                  broken.getLocation() == null ? 0 : broken.getLocation().getLineNr(),
                  broken.getLocation() == null ? 0 : broken.getLocation().getColumnNr()));
    }
  }

  private static MailboxForm fields(JsonParser parser, String place) throws Refusal {
    var values = new LinkedHashMap<String, Object>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      String at = place + shown(name);
      parser.nextToken();
      Object value = value(parser, at);
      if (values.put(name, value) != null) {
        throw MailboxForm.wrong(at, "is there twice");
      }
    }
    return new MailboxForm(place, values);
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
      case VALUE_NULL -> throw MailboxForm.wrong(at, "must not be null; leave it out instead");
      default -> throw MailboxForm.wrong(at, "must be text, a whole number, an object or a list");
    };
  }

  private static Long number(JsonParser parser, String at) throws Refusal {
    try {
      return Long.valueOf(parser.getString());
    } catch (NumberFormatException tooLarge) {
      throw MailboxForm.wrong(at, "is out of range");
    }
  }

  /** A name from a stranger, fit for an answer and a log. */
  static String shown(String name) {
    String cut = name.length() > NAME_CHARS_MAX ? name.substring(0, NAME_CHARS_MAX) : name;
    boolean plain = cut.chars().allMatch(each -> each >= ' ' && each <= '~');
    return plain ? cut : cut.replaceAll("[^ -~]", "?");
  }
}
