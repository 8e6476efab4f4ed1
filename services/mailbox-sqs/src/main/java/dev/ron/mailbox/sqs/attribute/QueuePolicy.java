package dev.ron.mailbox.sqs.attribute;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The policy of a queue: kept as it was given, with a statement for each permission that is added.
 *
 * <p>It is not enforced: what a caller may do, its capability says.
 *
 * <p>Threading: stateless.
 */
public final class QueuePolicy {
  public static final String NAME = "Policy";

  private static final int TEXT_CHARS_MAX = 256 << 10;
  private static final int DEPTH_MAX = 32;
  private static final String STATEMENT = "Statement";

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
                  .build())
          .build();

  private QueuePolicy() {}

  static void check(String text) throws Refusal {
    object(text);
  }

  private static ObjectNode object(String text) throws Refusal {
    try {
      if (text.length() <= TEXT_CHARS_MAX && MAPPER.readTree(text) instanceof ObjectNode object) {
        return object;
      }
    } catch (JacksonException _) {
      // said below
    }
    throw Refusal.of(new SqsFault.InvalidAttributeValue("Invalid value for the parameter Policy."));
  }

  /**
   * The policy with one more permission.
   *
   * @param policy empty if there is none yet
   */
  public static String with(
      String policy, QueueAddress queue, String label, List<String> accounts, List<String> actions)
      throws Refusal {
    ObjectNode document = policy.isEmpty() ? fresh(queue) : object(policy);
    List<JsonNode> statements = statements(document);
    if (statements.stream().anyMatch(each -> isLabelled(each, label))) {
      throw RedrivePolicy.invalid("Label", label, "Already exists.");
    }
    var principals = new ArrayList<String>();
    accounts.forEach(account -> principals.add("arn:aws:iam::" + account + ":root"));
    var statement = new LinkedHashMap<String, Object>();
    statement.put("Sid", label);
    statement.put("Effect", "Allow");
    statement.put("Principal", Map.of("AWS", single(principals)));
    statement.put("Action", single(actions.stream().map(action -> "SQS:" + action).toList()));
    statement.put("Resource", queue.arn());
    statements.add(MAPPER.valueToTree(statement));
    String longer = MAPPER.writeValueAsString(document.set(STATEMENT, array(statements)));
    if (longer.length() > TEXT_CHARS_MAX) {
      // One that is longer could not be read to take a permission from it.
      throw Refusal.of(
          new SqsFault.OverLimit(
              "The policy of a queue can have up to %d characters.".formatted(TEXT_CHARS_MAX)));
    }
    return longer;
  }

  /** The policy without a permission; empty if it was the last. */
  public static Optional<String> without(String policy, String label) throws Refusal {
    ObjectNode document = policy.isEmpty() ? MAPPER.createObjectNode() : object(policy);
    List<JsonNode> statements = statements(document);
    if (!statements.removeIf(each -> isLabelled(each, label))) {
      throw RedrivePolicy.invalid("Label", label, "can't find label.");
    }
    return statements.isEmpty()
        ? Optional.empty()
        : Optional.of(MAPPER.writeValueAsString(document.set(STATEMENT, array(statements))));
  }

  private static ObjectNode fresh(QueueAddress queue) {
    return MAPPER
        .createObjectNode()
        .put("Version", "2008-10-17")
        .put("Id", queue.arn() + "/SQSDefaultPolicy");
  }

  private static List<JsonNode> statements(ObjectNode document) {
    JsonNode statements = document.get(STATEMENT);
    var list = new ArrayList<JsonNode>();
    if (statements != null && statements.isArray()) {
      list.addAll(statements.values());
    } else if (statements != null) {
      list.add(statements);
    }
    return list;
  }

  private static ArrayNode array(List<JsonNode> statements) {
    return MAPPER.createArrayNode().addAll(statements);
  }

  private static boolean isLabelled(JsonNode statement, String label) {
    return statement.path("Sid").asString("").equals(label);
  }

  private static Object single(List<String> values) {
    return values.size() == 1 ? values.getFirst() : values;
  }
}
