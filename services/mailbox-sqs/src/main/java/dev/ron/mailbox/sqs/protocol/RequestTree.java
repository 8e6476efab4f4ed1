package dev.ron.mailbox.sqs.protocol;

import dev.ron.http.Refusal;
import dev.ron.http.json.JsonTree;
import dev.ron.mailbox.sqs.SqsFault;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The members of a request by the names of the model, whichever protocol they came in.
 *
 * <p>An unknown member is let pass, as AWS does, so that clients newer than this door work. A known
 * one of the wrong type is refused.
 *
 * <p>Threading: immutable.
 *
 * @param typed whether numbers are numbers; in forms everything is text
 */
public record RequestTree(Map<String, @Nullable Object> members, boolean typed) {
  static final String ENTRIES = "Entries";

  /** No more can be made of a body of so many bytes than of one with as many values as may be. */
  private static final int FEW_BYTES = 16 << 10;

  private static final Pattern HALF_A_PAIR = Pattern.compile("\\p{Cs}");
  private static final Pattern LINE_ENDS = Pattern.compile("[\r\n]+");

  /** A body of JSON; an empty one has no members. */
  public static RequestTree json(byte[] body) throws Refusal {
    if (body.length == 0) {
      return new RequestTree(Map.of(), true);
    }
    return new RequestTree(object(body), true);
  }

  /** One object of JSON, also where a member's text is one. */
  public static Map<String, @Nullable Object> object(byte[] json) throws Refusal {
    if (json.length > FEW_BYTES && hasTooMany(json)) {
      throw wrong("more than " + QueryTree.PARAMETERS_MAX + " values");
    }
    try {
      return JsonTree.object(json);
    } catch (Refusal refusal) {
      throw wrong(refusal.fault().detail());
    }
  }

  /** Told before a tree is made: one of nothing but small objects is many times its text. */
  private static boolean hasTooMany(byte[] json) {
    int values = 0;
    boolean quoted = false;
    for (int i = 0; i < json.length && values <= QueryTree.PARAMETERS_MAX; i++) {
      byte each = json[i];
      if (each == '"') {
        quoted = !quoted;
      } else if (quoted) {
        i += each == '\\' ? 1 : 0;
      } else if (each == ',' || each == '{' || each == '[') {
        values++;
      }
    }
    return values > QueryTree.PARAMETERS_MAX;
  }

  /** Of parameters, in the order they came. */
  public static RequestTree form(List<String> forms) throws Refusal {
    return new RequestTree(QueryTree.of(forms), false);
  }

  public boolean has(String name) {
    return members.get(name) != null;
  }

  public Optional<String> text(String name) throws Refusal {
    return switch (members.get(name)) {
      case null -> Optional.empty();
      case String text -> Optional.of(text);
      case Object other -> throw wrong(kind(other) + " can not be converted to a String");
    };
  }

  /** A text that must be there and not be empty. */
  public String required(String name) throws Refusal {
    return text(name)
        .filter(text -> !text.isEmpty())
        .orElseThrow(() -> Refusal.of(new SqsFault.MissingParameter(name)));
  }

  public Optional<Long> number(String name) throws Refusal {
    return switch (members.get(name)) {
      case null -> Optional.empty();
      case Long number -> Optional.of(number);
      case String text when !typed && text.isEmpty() -> Optional.empty();
      case String text when !typed -> Optional.of(parsed(name, text));
      case Object other -> throw wrong(kind(other) + " can not be converted to an Integer");
    };
  }

  /** A number within its range, or the text that AWS has for another. */
  public Optional<Integer> number(String name, int min, int max, String reason) throws Refusal {
    Optional<Long> number = number(name);
    if (number.isPresent() && (number.get() < min || number.get() > max)) {
      throw Refusal.of(
          new SqsFault.InvalidParameterValue(
              "Value %d for parameter %s is invalid. Reason: %s"
                  .formatted(number.get(), name, reason)));
    }
    return number.map(Long::intValue);
  }

  /** Bytes, which are base64 in both protocols; some clients break its lines. */
  public Optional<byte[]> bytes(String name) throws Refusal {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      String joined = LINE_ENDS.matcher(text.get()).replaceAll("");
      return Optional.of(Base64.getDecoder().decode(joined));
    } catch (IllegalArgumentException _) {
      throw wrong("Could not convert to bytes: not base64");
    }
  }

  public List<String> texts(String name) throws Refusal {
    var texts = new ArrayList<String>();
    for (Object each : list(name)) {
      if (!(each instanceof String text)) {
        throw wrong(kind(each) + " can not be converted to a String");
      }
      texts.add(text);
    }
    return texts;
  }

  /** The members of each entry of a batch. */
  public List<RequestTree> entries() throws Refusal {
    return trees(ENTRIES);
  }

  private List<RequestTree> trees(String name) throws Refusal {
    var trees = new ArrayList<RequestTree>();
    for (Object each : list(name)) {
      trees.add(tree(each));
    }
    return trees;
  }

  /** Texts that a queue keeps: half a surrogate pair would be another character when it is read. */
  public Map<String, String> textMap(String name) throws Refusal {
    var map = new LinkedHashMap<String, String>();
    for (Map.Entry<String, @Nullable Object> each : map(name).entrySet()) {
      switch (each.getValue()) {
        case null -> {
          // as if it were not there
        }
        case String text when HALF_A_PAIR.matcher(text).find() ->
            throw wrong("half a surrogate pair can not be converted to a String");
        case String text -> map.put(each.getKey(), text);
        case Object other -> throw wrong(kind(other) + " can not be converted to a String");
      }
    }
    return map;
  }

  public Map<String, RequestTree> treeMap(String name) throws Refusal {
    var map = new LinkedHashMap<String, RequestTree>();
    for (Map.Entry<String, @Nullable Object> each : map(name).entrySet()) {
      map.put(each.getKey(), tree(each.getValue()));
    }
    return map;
  }

  private List<?> list(String name) throws Refusal {
    return switch (members.get(name)) {
      case null -> List.of();
      case List<?> list -> list;
      case String text when isEmptyForm(text) -> List.of();
      case Object other -> throw wrong(kind(other) + " can not be converted to a list");
    };
  }

  /** Older SDKs write an empty list or map as a parameter without a value. */
  private boolean isEmptyForm(String text) {
    return !typed && text.isEmpty();
  }

  @SuppressWarnings("unchecked") // both readers make no other maps
  private Map<String, @Nullable Object> map(String name) throws Refusal {
    return switch (members.get(name)) {
      case null -> Map.of();
      case Map<?, ?> map -> (Map<String, @Nullable Object>) map;
      case String text when isEmptyForm(text) -> Map.of();
      case Object other -> throw wrong(kind(other) + " can not be converted to a map");
    };
  }

  @SuppressWarnings("unchecked") // both readers make no other maps
  private RequestTree tree(@Nullable Object value) throws Refusal {
    if (!(value instanceof Map<?, ?> map)) {
      throw wrong(kind(value) + " can not be converted to an object");
    }
    return new RequestTree((Map<String, @Nullable Object>) map, typed);
  }

  private static long parsed(String name, String text) throws Refusal {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException _) {
      throw Refusal.of(
          new SqsFault.InvalidParameterValue(
              "Value %s for parameter %s is invalid. Reason: Must be an integer."
                  .formatted(text, name)));
    }
  }

  private static String kind(@Nullable Object value) {
    return switch (value) {
      case null -> "NULL_VALUE";
      case String _ -> "STRING_VALUE";
      case Long _ -> "NUMBER_VALUE";
      case Boolean flag -> flag ? "TRUE_VALUE" : "FALSE_VALUE";
      case List<?> _ -> "START_ARRAY";
      default -> "START_OBJECT";
    };
  }

  private static Refusal wrong(String why) {
    return Refusal.of(new SqsFault.SerializationException(why));
  }
}
