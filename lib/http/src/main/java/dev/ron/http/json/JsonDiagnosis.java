package dev.ron.http.json;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
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

  private JsonDiagnosis() {}

  static JsonFault of(JacksonException e, JsonParser parser) {
    return switch (e) {
      // The record, not the input, is at fault.
      case InvalidDefinitionException bug -> throw bug;
      case StreamConstraintsException _ -> limit(e, parser);
      case InputCoercionException wrong ->
          new JsonFault.WrongType(reached(parser), wanted(wrong.getTargetType()));
      case UnexpectedEndOfInputException _ ->
          new JsonFault.Syntax(reached(parser), "ends too early");
      case StreamReadException _ when e.getOriginalMessage().startsWith("Duplicate ") ->
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

  private static JsonFault limit(JacksonException e, JsonParser parser) {
    String place = reached(parser);
    String message = e.getOriginalMessage();
    if (message.startsWith("Document nesting depth")) {
      return new JsonFault.TooDeep(place, Json.DEPTH_MAX);
    }
    if (message.startsWith("Name ")) {
      return new JsonFault.TooLong(place, "has a name that is too long");
    }
    return new JsonFault.TooLong(
        place, message.startsWith("Number ") ? "is a number that is too long" : "is too long");
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
