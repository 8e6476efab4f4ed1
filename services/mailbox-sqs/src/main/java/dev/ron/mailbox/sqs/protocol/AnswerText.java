package dev.ron.mailbox.sqs.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the tree of an answer as JSON or as XML.
 *
 * <p>In XML, lists and maps are flat: {@code QueueUrls} is one {@code QueueUrl} after the other, an
 * entry of {@code Attributes} is an {@code Attribute} with {@code Name} and {@code Value}.
 *
 * <p>Threading: stateless.
 */
public final class AnswerText {
  static final String NAMESPACE = "http://queue.amazonaws.com/doc/2012-11-05/";

  private static final JsonMapper MAPPER = JsonMapper.shared();

  private static final Map<String, String> ELEMENTS =
      Map.of(
          "QueueUrls", "QueueUrl",
          "queueUrls", "QueueUrl",
          "Messages", "Message",
          "Attributes", "Attribute",
          "MessageAttributes", "MessageAttribute",
          "Tags", "Tag",
          "Failed", "BatchResultErrorEntry",
          "Results", "ListMessageMoveTasksResultEntry");

  /** Entries of these have a key; those of the other maps have a name. */
  private static final Set<String> KEYED = Set.of("Tags");

  private AnswerText() {}

  public static byte[] json(AnswerTree tree) {
    return json(tree.members());
  }

  /** As the query protocol answers in JSON: the same wrapping as in XML, maps as lists. */
  public static byte[] wrappedJson(String action, AnswerTree tree, String requestId) {
    var response = new LinkedHashMap<String, Object>();
    Map<String, Object> members = new LinkedHashMap<>(listed(tree.members()));
    Object messages = members.remove("Messages");
    if (messages != null) {
      // The one member that has another name here than in both protocols.
      members.put("messages", messages);
    }
    response.put(action + "Result", members);
    response.put("ResponseMetadata", Map.of("RequestId", requestId));
    return json(Map.of(action + "Response", response));
  }

  /**
   * @param hasResult whether the action has an answer at all, which may be empty
   */
  public static byte[] xml(String action, boolean hasResult, AnswerTree tree, String requestId) {
    var out = new StringBuilder(512);
    out.append("<?xml version=\"1.0\"?><").append(action).append("Response xmlns=\"");
    out.append(NAMESPACE).append("\">");
    if (hasResult && tree.isEmpty()) {
      out.append('<').append(action).append("Result/>");
    } else if (hasResult) {
      out.append('<').append(action).append("Result>");
      members(out, action, tree.members());
      out.append("</").append(action).append("Result>");
    }
    out.append("<ResponseMetadata>");
    element(out, action, "RequestId", requestId);
    return out.append("</ResponseMetadata></")
        .append(action)
        .append("Response>")
        .toString()
        .getBytes(UTF_8);
  }

  /** An error of the query protocol. */
  static byte[] xmlError(String type, String code, String message, String requestId) {
    var out = new StringBuilder(256);
    out.append("<?xml version=\"1.0\"?><ErrorResponse xmlns=\"").append(NAMESPACE).append("\">");
    out.append("<Error>");
    element(out, "", "Type", type);
    element(out, "", "Code", code);
    element(out, "", "Message", message);
    out.append("<Detail/></Error>");
    element(out, "", "RequestId", requestId);
    return out.append("</ErrorResponse>").toString().getBytes(UTF_8);
  }

  private static void members(StringBuilder out, String action, Map<?, ?> members) {
    members.forEach((name, value) -> member(out, action, name.toString(), value));
  }

  private static void member(StringBuilder out, String action, String name, Object value) {
    String flat =
        name.equals("Successful") ? action + "ResultEntry" : ELEMENTS.getOrDefault(name, name);
    switch (value) {
      case List<?> list -> list.forEach(each -> element(out, action, flat, each));
      case Map<?, ?> map when !flat.equals(name) ->
          map.forEach(
              (key, each) -> {
                out.append('<').append(flat).append('>');
                element(out, action, KEYED.contains(name) ? "Key" : "Name", key);
                element(out, action, "Value", each);
                out.append("</").append(flat).append('>');
              });
      default -> element(out, action, name, value);
    }
  }

  private static void element(StringBuilder out, String action, String name, Object value) {
    out.append('<').append(name).append('>');
    switch (value) {
      case Map<?, ?> map -> members(out, action, map);
      case byte[] bytes -> out.append(Base64.getEncoder().encodeToString(bytes));
      default -> escape(out, value.toString());
    }
    out.append("</").append(name).append('>');
  }

  /** What XML cannot have at all does not get in: messages are checked when they are sent. */
  private static void escape(StringBuilder out, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\r' -> out.append("&#xD;");
        case '\t', '\n' -> out.append(c);
        default -> out.append(c < ' ' || c == '\uFFFE' || c == '\uFFFF' ? '?' : c);
      }
    }
  }

  /** Maps of attributes and tags as lists of their entries. */
  private static Map<String, Object> listed(Map<String, Object> members) {
    var listed = new LinkedHashMap<String, Object>();
    members.forEach(
        (name, value) -> {
          if (value instanceof Map<?, ?> map && ELEMENTS.containsKey(name)) {
            var entries = new ArrayList<Map<String, Object>>();
            map.forEach(
                (key, each) -> {
                  var entry = new LinkedHashMap<String, Object>();
                  entry.put(KEYED.contains(name) ? "Key" : "Name", key);
                  entry.put("Value", each);
                  entries.add(entry);
                });
            listed.put(name, entries);
          } else {
            listed.put(name, value);
          }
        });
    return listed;
  }

  /** By way of characters, which also writes half a surrogate pair that a client made up. */
  private static byte[] json(Object value) {
    return MAPPER.writeValueAsString(value).getBytes(UTF_8);
  }
}
