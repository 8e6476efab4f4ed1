package dev.ron.mailbox.sqs.protocol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The members of an answer by the names of the model; each protocol writes them in its own form.
 *
 * <p>What is absent or empty is left out, as clients expect.
 *
 * <p>Threading: owned by the request's thread.
 */
public final class AnswerTree {
  private final Map<String, Object> members = new LinkedHashMap<>();

  public AnswerTree text(String name, @Nullable String value) {
    if (value != null) {
      members.put(name, value);
    }
    return this;
  }

  public AnswerTree number(String name, @Nullable Long value) {
    if (value != null) {
      members.put(name, value);
    }
    return this;
  }

  public AnswerTree flag(String name, boolean value) {
    members.put(name, value);
    return this;
  }

  /** Base64 in both protocols. */
  public AnswerTree bytes(String name, byte[] value) {
    members.put(name, value);
    return this;
  }

  public AnswerTree texts(String name, List<String> values) {
    if (!values.isEmpty()) {
      members.put(name, List.copyOf(values));
    }
    return this;
  }

  public AnswerTree trees(String name, List<AnswerTree> values) {
    if (!values.isEmpty()) {
      var all = new ArrayList<Map<String, Object>>();
      values.forEach(value -> all.add(value.members));
      members.put(name, all);
    }
    return this;
  }

  public AnswerTree textMap(String name, Map<String, String> values) {
    if (!values.isEmpty()) {
      members.put(name, new LinkedHashMap<>(values));
    }
    return this;
  }

  public AnswerTree treeMap(String name, Map<String, AnswerTree> values) {
    if (!values.isEmpty()) {
      var all = new LinkedHashMap<String, Object>();
      values.forEach((key, value) -> all.put(key, value.members));
      members.put(name, all);
    }
    return this;
  }

  public AnswerTree tree(String name, AnswerTree value) {
    members.put(name, value.members);
    return this;
  }

  public boolean isEmpty() {
    return members.isEmpty();
  }

  Map<String, Object> members() {
    return members;
  }
}
