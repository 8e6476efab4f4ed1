package dev.ron.http.json;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;

/**
 * Turns what the parser threw into a fault. The parser's own words are not repeated: they quote the
 * input and speak of Java.
 *
 * <p>Threading: stateless.
 */
final class JsonDiagnosis {
  /** A name that a caller made up is shown only so far. */
  private static final int NAME_SHOWN_MAX = 64;

  /** Lets a name come twice. */
  private static final JsonFactory FACTORY = new JsonFactory();

  private JsonDiagnosis() {}

  /**
   * @param body what the parser read, to be looked at again where the exception alone says too
   *     little
   */
  static JsonFault of(JacksonException e, JsonParser parser, byte[] body) {
    return switch (e) {
      // The record, not the input, is at fault.
      case InvalidDefinitionException bug -> throw bug;
      case StreamConstraintsException past -> limit(past, parser);
      case InputCoercionException wrong ->
          new JsonFault.WrongType(reached(parser), wanted(wrong.getTargetType()));
      case UnexpectedEndOfInputException _ ->
          new JsonFault.Syntax(reached(parser), "ends too early");
      case StreamReadException _ when isRepeated(body, reached(parser)) ->
          new JsonFault.DuplicateKey(reached(parser));
      case StreamReadException _ -> new JsonFault.Syntax(reached(parser), "is not JSON");
      case UnrecognizedPropertyException _ -> new JsonFault.UnknownField(named(e));
      case InvalidNullException _ -> new JsonFault.WrongType(named(e), "must not be null");
      case ValueInstantiationException _ -> new JsonFault.WrongType(named(e), refusal(e));
      case MismatchedInputException wrong ->
          wrong.getCurrentToken() == null && e.getPath().isEmpty()
              ? new JsonFault.Syntax("$", "is empty")
              : new JsonFault.WrongType(named(e), wanted(wrong.getTargetType()));
      default -> new JsonFault.Syntax(reached(parser), "is not JSON");
    };
  }

  private static JsonFault limit(StreamConstraintsException e, JsonParser parser) {
    String place = reached(parser);
    if (!(e instanceof JsonLimits.Excess excess)) {
      return new JsonFault.TooLong(place, "is too long");
    }
    return switch (excess.part()) {
      case NESTING -> new JsonFault.TooDeep(place, Json.DEPTH_MAX);
      case NAME -> new JsonFault.TooLong(place, "has a name that is too long");
      case NUMBER -> new JsonFault.TooLong(place, "is a number that is too long");
      case TEXT -> new JsonFault.TooLong(place, "is too long");
    };
  }

  /**
   * Whether the first name that comes twice in its object is at that place. The parser has no
   * exception of its own for it, and its words are not ours to build on.
   */
  private static boolean isRepeated(byte[] body, String place) {
    Deque<Set<String>> names = new ArrayDeque<>();
    try (JsonParser again = FACTORY.createParser(ObjectReadContext.empty(), body)) {
      for (JsonToken token = again.nextToken(); token != null; token = again.nextToken()) {
        switch (token) {
          case START_OBJECT -> names.push(new HashSet<>());
          case END_OBJECT -> names.pop();
          case PROPERTY_NAME -> {
            if (!names.element().add(again.currentName())) {
              return reached(again).equals(place);
            }
          }
          default -> {}
        }
      }
    } catch (JacksonException _) {
      return false; // what is wrong comes before any name is repeated
    }
    return false;
  }

  private static String refusal(JacksonException e) {
    return e.getCause() instanceof IllegalArgumentException refused && refused.getMessage() != null
        ? refused.getMessage()
        : "is not acceptable";
  }

  private static String wanted(@Nullable Class<?> type) {
    if (type == null) {
      return "has the wrong type";
    }
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .map(Object::toString)
          .collect(Collectors.joining(", ", "must be one of ", ""));
    }
    if (type == boolean.class || type == Boolean.class) {
      return "must be true or false";
    }
    if (type == String.class) {
      return "must be a string";
    }
    if (type == byte[].class) {
      return "must be a string of base64";
    }
    if (type == double.class || type == Double.class || type.getSimpleName().equals("BigDecimal")) {
      return "must be a number";
    }
    if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
      return "must be a whole number within its range";
    }
    return Collection.class.isAssignableFrom(type) || type.isArray()
        ? "must be an array"
        : "must be an object";
  }

  /** Where the binding stood. */
  private static String named(JacksonException e) {
    var place = new StringBuilder();
    for (JacksonException.Reference step : e.getPath()) {
      append(place, step.getPropertyName(), step.getIndex());
    }
    return place.isEmpty() ? "$" : place.toString();
  }

  /** Where the parser stood. */
  private static String reached(JsonParser parser) {
    Deque<TokenStreamContext> steps = new ArrayDeque<>();
    for (TokenStreamContext at = parser.streamReadContext();
        at != null && !at.inRoot();
        at = at.getParent()) {
      steps.push(at);
    }
    var place = new StringBuilder();
    for (TokenStreamContext step : steps) {
      if (step.inArray()) {
        append(place, null, step.getCurrentIndex());
      } else if (step.currentName() != null) {
        append(place, step.currentName(), -1);
      }
    }
    return place.isEmpty() ? "$" : place.toString();
  }

  private static void append(StringBuilder place, @Nullable String name, int index) {
    if (name == null) {
      place.append('[').append(index).append(']');
      return;
    }
    String shown = name.replaceAll("[^\\x21-\\x7e]", "?");
    place.append(place.isEmpty() ? "" : ".");
    place.append(shown, 0, Math.min(NAME_SHOWN_MAX, shown.length()));
    place.append(shown.length() > NAME_SHOWN_MAX ? "..." : "");
  }
}
