package dev.ron.mailbox.sqs.protocol;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.SqsFault;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes of the parameters of a form the tree that a JSON client would have sent.
 *
 * <p>Lists and maps are flat in a form: {@code Attribute.1.Name=DelaySeconds} is an entry of {@code
 * Attributes}. A name that is in no table is a member by itself.
 *
 * <p>Threading: stateless.
 */
public final class QueryTree {
  /** A full batch with all attributes has some 400. */
  static final int PARAMETERS_MAX = 2048;

  /** {@code SendMessageBatchRequestEntry.1.MessageAttribute.1.Value.DataType}. */
  private static final int STEPS_MAX = 6;

  private static final int DIGITS_MAX = 5;

  /** Lists of texts. */
  private static final Map<String, String> LISTS =
      Map.of(
          "AttributeName", "AttributeNames",
          "MessageSystemAttributeName", "MessageSystemAttributeNames",
          "MessageAttributeName", "MessageAttributeNames",
          "TagKey", "TagKeys",
          "ActionName", "Actions",
          "AWSAccountId", "AWSAccountIds",
          "SendMessageBatchRequestEntry", RequestTree.ENTRIES,
          "DeleteMessageBatchRequestEntry", RequestTree.ENTRIES,
          "ChangeMessageVisibilityBatchRequestEntry", RequestTree.ENTRIES);

  /** Maps, with what their keys are called. */
  private static final Map<String, FlatMap> MAPS =
      Map.of(
          "Attribute", new FlatMap("Attributes", "Name"),
          "Tag", new FlatMap("Tags", "Key"),
          "MessageAttribute", new FlatMap("MessageAttributes", "Name"),
          "MessageSystemAttribute", new FlatMap("MessageSystemAttributes", "Name"));

  private record FlatMap(String member, String key) {}

  /** One step of the names: a value, or what is below. */
  private static final class Step {
    private @Nullable String value;
    private final Map<String, Step> below = new LinkedHashMap<>();
  }

  private QueryTree() {}

  /**
   * @param forms queries and bodies as sent, in order; of a parameter that comes twice the last
   *     counts
   */
  public static Map<String, @Nullable Object> of(List<String> forms) throws Refusal {
    var root = new Step();
    int count = 0;
    for (String form : forms) {
      // One pair at a time: a body of nothing but separators would else be millions of texts.
      for (int from = 0; from < form.length(); ) {
        int next = form.indexOf('&', from);
        int to = next < 0 ? form.length() : next;
        if (to > from) {
          if (++count > PARAMETERS_MAX) {
            throw malformed("more than " + PARAMETERS_MAX + " parameters");
          }
          put(root, form.substring(from, to));
        }
        from = to + 1;
      }
    }
    return members(root);
  }

  private static void put(Step root, String pair) throws Refusal {
    int equals = pair.indexOf('=');
    String name = text(equals < 0 ? pair : pair.substring(0, equals));
    String value = equals < 0 ? "" : text(pair.substring(equals + 1));
    String[] steps = name.split("\\.", STEPS_MAX + 1);
    if (steps.length > STEPS_MAX) {
      throw malformed("a parameter's name has more than " + STEPS_MAX + " steps");
    }
    Step at = root;
    for (String step : steps) {
      at = at.below.computeIfAbsent(step, _ -> new Step());
    }
    at.value = value;
  }

  private static Map<String, @Nullable Object> members(Step step) throws Refusal {
    var members = new LinkedHashMap<String, @Nullable Object>();
    for (Map.Entry<String, Step> each : step.below.entrySet()) {
      String name = each.getKey();
      FlatMap map = MAPS.get(name);
      String list = LISTS.get(name);
      boolean flat = !each.getValue().below.isEmpty();
      if (flat && map != null) {
        members.put(map.member(), map(each.getValue(), map.key()));
      } else if (list != null) {
        members.put(list, flat ? list(each.getValue()) : single(each.getValue()));
      } else {
        members.put(name, value(each.getValue()));
      }
    }
    return members;
  }

  private static @Nullable Object value(Step step) throws Refusal {
    return step.below.isEmpty() ? step.value : members(step);
  }

  private static List<@Nullable Object> list(Step step) throws Refusal {
    var list = new ArrayList<@Nullable Object>();
    for (Step each : numbered(step).values()) {
      list.add(value(each));
    }
    return list;
  }

  /** A list of one may come without a number, and an empty one as an empty text. */
  private static List<@Nullable Object> single(Step step) {
    return step.value == null || step.value.isEmpty() ? List.of() : List.of(step.value);
  }

  private static Map<String, @Nullable Object> map(Step step, String key) throws Refusal {
    var map = new LinkedHashMap<String, @Nullable Object>();
    for (Step each : numbered(step).values()) {
      Step name = each.below.get(key);
      Step value = each.below.get("Value");
      if (name == null || name.value == null) {
        throw Refusal.of(new SqsFault.MissingParameter(key));
      }
      map.put(name.value, value == null ? "" : value(value));
    }
    return map;
  }

  /** By their numbers, which may have gaps. */
  private static Map<Integer, Step> numbered(Step step) throws Refusal {
    var byNumber = new TreeMap<Integer, Step>();
    for (Map.Entry<String, Step> each : step.below.entrySet()) {
      String digits = each.getKey();
      if (digits.isEmpty()
          || digits.length() > DIGITS_MAX
          || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
        throw malformed("a list's entries are named by numbers");
      }
      byNumber.put(Integer.parseInt(digits), each.getValue());
    }
    return byNumber;
  }

  private static String text(String escaped) throws Refusal {
    byte[] bytes = escaped.getBytes(StandardCharsets.ISO_8859_1);
    int length = 0;
    for (int i = 0; i < bytes.length; i++) {
      byte each = bytes[i];
      if (each == '%') {
        int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
        int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
        if (high < 0 || low < 0) {
          throw malformed("a % that no two hex digits follow");
        }
        each = (byte) (high << 4 | low);
        i += 2;
      } else if (each == '+') {
        each = ' ';
      }
      bytes[length++] = each;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, 0, length))
          .toString();
    } catch (CharacterCodingException _) {
      throw malformed("a parameter is not UTF-8");
    }
  }

  private static Refusal malformed(String why) {
    return Refusal.of(new SqsFault.SerializationException(why));
  }
}
