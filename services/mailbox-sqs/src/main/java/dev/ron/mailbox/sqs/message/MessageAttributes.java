package dev.ron.mailbox.sqs.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import dev.ron.mailbox.sqs.protocol.RequestTree;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What a sender says about a message besides its body: names with typed values.
 *
 * <p>The mailbox keeps them as attrs. A plain text is kept as it is, so that readers by other doors
 * see what was sent; any other type stands before its value, with a line end between, and bytes are
 * base64.
 *
 * <p>Threading: immutable.
 */
public record MessageAttributes(Map<String, Value> values) {
  private static final int COUNT_MAX = 10;
  private static final int NAME_CHARS_MAX = 256;
  private static final Pattern NAME = Pattern.compile("[\u00c0-\u017fA-Za-z0-9_.-]+");
  private static final Pattern TYPE =
      Pattern.compile("(String|Number|Binary)(\\.[^\\p{Cntrl}]{1,249})?");
  private static final String TEXT = "String";

  /**
   * @param bytes the text as UTF-8, or the bytes as they were given
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Value(String type, byte[] bytes) {
    boolean binary() {
      return type.startsWith("Binary");
    }
  }

  public MessageAttributes {
    values = new TreeMap<>(values);
  }

  static MessageAttributes parse(Map<String, RequestTree> members) throws Refusal {
    if (members.size() > COUNT_MAX) {
      throw wrong(
          "Number of message attributes [%d] exceeds the allowed maximum [%d]."
              .formatted(members.size(), COUNT_MAX));
    }
    var values = new LinkedHashMap<String, Value>();
    for (Map.Entry<String, RequestTree> each : members.entrySet()) {
      values.put(name(each.getKey()), value(each.getKey(), each.getValue()));
    }
    return new MessageAttributes(values);
  }

  private static String name(String name) throws Refusal {
    String lower = name.toLowerCase(Locale.ROOT);
    if (name.length() > NAME_CHARS_MAX) {
      throw wrong("Message (user) attribute names can have up to 256 characters.");
    }
    if (!NAME.matcher(name).matches()) {
      throw wrong(
          "Message (user) attribute name '%s' is invalid: only letters, digits, periods, hyphens"
                  .formatted(name)
              + " and underscores are allowed.");
    }
    if (lower.startsWith("aws.")
        || lower.startsWith("amazon.")
        || name.startsWith(".")
        || name.endsWith(".")
        || name.contains("..")) {
      throw wrong(
          "Message (user) attribute name '%s' is invalid: it may not begin with AWS. or Amazon.,"
                  .formatted(name)
              + " begin or end with a period, or have two in a row.");
    }
    return name;
  }

  private static Value value(String name, RequestTree members) throws Refusal {
    if (members.has("StringListValues") || members.has("BinaryListValues")) {
      throw Refusal.of(
          new SqsFault.UnsupportedOperation(
              "Message attribute list values in SendMessage operation are not supported."));
    }
    String type = members.text("DataType").orElse("");
    if (type.isEmpty()) {
      throw wrong("The message attribute '%s' must contain a DataType.".formatted(name));
    }
    if (!TYPE.matcher(type).matches() || !MessageText.isValid(type)) {
      throw wrong(
          "The type of message (user) attribute '%s' is invalid. You must use only the following"
                  .formatted(name)
              + " supported type prefixes: Binary, Number, String.");
    }
    if (type.startsWith("Binary")) {
      byte[] bytes = members.bytes("BinaryValue").orElse(new byte[0]);
      return new Value(type, required(bytes, name, type));
    }
    String text = members.text("StringValue").orElse("");
    Value value = new Value(type, required(text.getBytes(UTF_8), name, type));
    if (!MessageText.isValid(text)) {
      throw wrong(MessageText.INVALID);
    }
    if (type.startsWith("Number") && !isNumber(text)) {
      throw wrong(
          "Can't cast the value of message (user) attribute '%s' to a number.".formatted(name));
    }
    return value;
  }

  private static byte[] required(byte[] value, String name, String type) throws Refusal {
    if (value.length == 0) {
      throw wrong(
          "Message (user) attribute '%s' must contain a non-empty value of type '%s'."
              .formatted(name, type.startsWith("Binary") ? "Binary" : type));
    }
    return value;
  }

  private static boolean isNumber(String text) {
    try {
      return text.length() <= 128 && new BigDecimal(text.strip()).precision() > 0;
    } catch (NumberFormatException _) {
      return false;
    }
  }

  private static Refusal wrong(String why) {
    return Refusal.of(new SqsFault.InvalidParameterValue(why));
  }

  /** As the limit of a message counts them: names, types and values. */
  int bytes() {
    int sum = 0;
    for (Map.Entry<String, Value> each : values.entrySet()) {
      sum += each.getKey().getBytes(UTF_8).length;
      sum += each.getValue().type().getBytes(UTF_8).length + each.getValue().bytes().length;
    }
    return sum;
  }

  /** Empty if there are none. */
  Optional<String> md5() {
    return values.isEmpty() ? Optional.empty() : Optional.of(MessageDigests.attributes(values));
  }

  /** As the mailbox keeps them. */
  Map<String, String> stored() {
    var stored = new TreeMap<String, String>();
    values.forEach((name, value) -> stored.put(name, stored(value)));
    return stored;
  }

  private static String stored(Value value) {
    String text =
        value.binary()
            ? Base64.getEncoder().encodeToString(value.bytes())
            : new String(value.bytes(), UTF_8);
    return value.type().equals(TEXT) && text.indexOf('\n') < 0 ? text : value.type() + "\n" + text;
  }

  /** Those among a message's attrs, also if it was sent by another door. */
  static MessageAttributes ofStored(Map<String, String> attrs) {
    var values = new LinkedHashMap<String, Value>();
    attrs.forEach(
        (name, text) -> {
          // A colon is in the names of what the mailbox keeps of a queue's message besides.
          if (name.indexOf(':') < 0) {
            // The sum is that of what is shown, and another door takes more than can be in XML.
            values.put(name, read(MessageText.shown(text)));
          }
        });
    return new MessageAttributes(values);
  }

  private static Value read(String text) {
    int line = text.indexOf('\n');
    String type = line < 0 ? "" : text.substring(0, line);
    if (!TYPE.matcher(type).matches()) {
      return new Value(TEXT, text.getBytes(UTF_8));
    }
    String rest = text.substring(line + 1);
    if (!type.startsWith("Binary")) {
      return new Value(type, rest.getBytes(UTF_8));
    }
    try {
      return new Value(type, Base64.getDecoder().decode(rest));
    } catch (IllegalArgumentException _) {
      return new Value(TEXT, text.getBytes(UTF_8));
    }
  }

  /** Those that a receive asks for: by name, by what names begin with, or all. */
  MessageAttributes asked(List<String> names) {
    var wanted = new ArrayList<Predicate<String>>();
    for (String name : names) {
      if (name.equals("All") || name.equals("*") || name.equals(".*")) {
        return this;
      }
      wanted.add(
          name.endsWith(".*")
              ? each -> each.startsWith(name.substring(0, name.length() - 2))
              : name::equals);
    }
    var asked = new LinkedHashMap<>(values);
    asked.keySet().removeIf(name -> wanted.stream().noneMatch(each -> each.test(name)));
    return new MessageAttributes(asked);
  }

  Map<String, AnswerTree> write() {
    var trees = new LinkedHashMap<String, AnswerTree>();
    values.forEach(
        (name, value) -> {
          var tree = new AnswerTree();
          if (value.binary()) {
            tree.bytes("BinaryValue", value.bytes());
          } else {
            tree.text("StringValue", new String(value.bytes(), UTF_8));
          }
          trees.put(name, tree.text("DataType", value.type()));
        });
    return trees;
  }
}
