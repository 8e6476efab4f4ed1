package dev.ron.storage.s3.policy;

import dev.ron.http.Refusal;
import dev.ron.http.json.JsonTree;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.core.BucketName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a policy, and refuses all that it does not know: what is not understood is never ignored.
 *
 * <p>Threading: stateless.
 */
public final class PolicyReader {
  private static final String ARN = "arn:aws:s3:::";
  private static final String SERVICE = "s3:";
  private static final String IF_EXISTS = "IfExists";
  private static final int STATEMENTS_MAX = 100;
  private static final int VALUES_MAX = 200;
  private static final Set<String> VERSIONS = Set.of("2012-10-17", "2008-10-17");
  private static final Set<String> MEMBERS = Set.of("Version", "Id", "Statement");
  private static final Set<String> STATEMENT_MEMBERS =
      Set.of(
          "Sid",
          "Effect",
          "Principal",
          "Action",
          "NotAction",
          "Resource",
          "NotResource",
          "Condition");

  private PolicyReader() {}

  /**
   * @param bucket whose policy it is to be, and whose resources alone it may name
   */
  public static BucketPolicy read(byte[] document, BucketName bucket) throws Refusal {
    if (document.length > BucketPolicy.BYTES_MAX) {
      throw malformed("a policy has up to " + BucketPolicy.BYTES_MAX + " bytes");
    }
    Map<String, @Nullable Object> root;
    try {
      root = JsonTree.object(document);
    } catch (Refusal refusal) {
      throw malformed("the policy " + refusal.fault().detail());
    }
    requireKnown(root, MEMBERS);
    if (!(root.get("Version") instanceof String version) || !VERSIONS.contains(version)) {
      throw malformed("Version is one of " + VERSIONS);
    }
    var statements = new ArrayList<PolicyStatement>();
    for (Object each : list(root.get("Statement"), "Statement", STATEMENTS_MAX)) {
      statements.add(statement(object(each, "a statement"), bucket));
    }
    return new BucketPolicy(statements);
  }

  private static PolicyStatement statement(Map<?, ?> members, BucketName bucket) throws Refusal {
    requireKnown(members, STATEMENT_MEMBERS);
    Object effect = members.get("Effect");
    if (!"Allow".equals(effect) && !"Deny".equals(effect)) {
      throw malformed("Effect is Allow or Deny");
    }
    boolean notActions = either(members, "Action", "NotAction");
    boolean notResources = either(members, "Resource", "NotResource");
    return new PolicyStatement(
        "Allow".equals(effect) ? PolicyStatement.Effect.ALLOW : PolicyStatement.Effect.DENY,
        principals(members.get("Principal")),
        actions(members.get(notActions ? "NotAction" : "Action")),
        notActions,
        resources(members.get(notResources ? "NotResource" : "Resource"), bucket, notResources),
        notResources,
        conditions(members.get("Condition")));
  }

  /** Whether the second of the two is there; exactly one of them must be. */
  private static boolean either(Map<?, ?> members, String one, String not) throws Refusal {
    if (members.containsKey(one) == members.containsKey(not)) {
      throw malformed("a statement has either " + one + " or " + not);
    }
    return members.containsKey(not);
  }

  private static PolicyPrincipals principals(@Nullable Object value) throws Refusal {
    if ("*".equals(value)) {
      return new PolicyPrincipals(true, Set.of());
    }
    Map<?, ?> kinds = object(value, "Principal");
    requireKnown(kinds, Set.of("AWS"));
    var tenants = new HashSet<String>();
    boolean all = false;
    for (String text : texts(kinds.get("AWS"), "Principal")) {
      if (text.equals("*")) {
        all = true;
      } else {
        tenants.add(
            PolicyPrincipals.tenant(text)
                .orElseThrow(() -> malformed("Invalid principal in policy: " + text)));
      }
    }
    return new PolicyPrincipals(all, tenants);
  }

  private static List<WildcardText> actions(@Nullable Object value) throws Refusal {
    var actions = new ArrayList<WildcardText>();
    for (String text : texts(value, "Action")) {
      boolean own = text.regionMatches(true, 0, SERVICE, 0, SERVICE.length());
      if (!own && !text.equals("*")) {
        throw malformed("Policy has invalid action: " + text);
      }
      String name = (own ? text.substring(SERVICE.length()) : text).toLowerCase(Locale.ROOT);
      var action = new WildcardText(name);
      if (S3Action.policyNames().stream()
          .noneMatch(known -> action.matches(known.toLowerCase(Locale.ROOT)))) {
        throw malformed("no operation here is called " + text);
      }
      actions.add(action);
    }
    return actions;
  }

  private static List<WildcardText> resources(
      @Nullable Object value, BucketName bucket, boolean others) throws Refusal {
    var resources = new ArrayList<WildcardText>();
    for (String text : texts(value, "Resource")) {
      if (!text.startsWith(ARN) && !text.equals("*")) {
        throw malformed("Policy has invalid resource: " + text);
      }
      String rest = text.equals("*") ? text : text.substring(ARN.length());
      int slash = rest.indexOf('/');
      var name = new WildcardText(slash < 0 ? rest : rest.substring(0, slash));
      if (!others && !name.matches(bucket.text())) {
        throw malformed("Policy has invalid resource, another bucket's: " + text);
      }
      resources.add(new WildcardText(rest));
    }
    return resources;
  }

  private static List<PolicyCondition> conditions(@Nullable Object value) throws Refusal {
    var conditions = new ArrayList<PolicyCondition>();
    if (value == null) {
      return conditions;
    }
    for (Map.Entry<?, ?> each : object(value, "Condition").entrySet()) {
      String name = String.valueOf(each.getKey());
      boolean ifExists = name.endsWith(IF_EXISTS);
      PolicyOperator operator =
          PolicyOperator.of(ifExists ? name.substring(0, name.length() - IF_EXISTS.length()) : name)
              .filter(found -> !(ifExists && found == PolicyOperator.NULL))
              .orElseThrow(() -> malformed("the condition " + name + " is not known here"));
      for (Map.Entry<?, ?> asked : object(each.getValue(), name).entrySet()) {
        conditions.add(condition(operator, ifExists, asked));
      }
    }
    return conditions;
  }

  private static PolicyCondition condition(
      PolicyOperator operator, boolean ifExists, Map.Entry<?, ?> asked) throws Refusal {
    String text = String.valueOf(asked.getKey());
    Optional<ConditionKey> key = ConditionKey.parse(text);
    if (key.isEmpty()) {
      throw malformed("the condition key " + text + " is not known here");
    }
    boolean addresses =
        operator == PolicyOperator.IP_ADDRESS || operator == PolicyOperator.NOT_IP_ADDRESS;
    if (operator != PolicyOperator.NULL
        && addresses != key.get().name().equals(ConditionKey.SOURCE_IP)) {
      throw malformed("addresses, and nothing else, are compared by IpAddress and NotIpAddress");
    }
    List<String> values = texts(asked.getValue(), text);
    for (String said : values) {
      if (!operator.takes(said)) {
        throw malformed("the condition of " + text + " can never be met: " + said);
      }
    }
    return new PolicyCondition(operator, ifExists, key.get(), values);
  }

  /** One text or several; variables such as {@code ${aws:username}} are not filled in here. */
  private static List<String> texts(@Nullable Object value, String where) throws Refusal {
    var texts = new ArrayList<String>();
    for (Object each : list(value, where, VALUES_MAX)) {
      String text =
          switch (each) {
            case String said -> said;
            case Boolean flag -> flag.toString();
            case Long number -> number.toString();
            default -> throw malformed(where + " has a value that is no text");
          };
      if (text.contains("${")) {
        throw malformed(where + " has a variable, which policies here cannot have");
      }
      texts.add(text);
    }
    return texts;
  }

  private static List<Object> list(@Nullable Object value, String where, int max) throws Refusal {
    var list = new ArrayList<Object>();
    if (value instanceof List<?> several) {
      for (Object each : several) {
        if (each == null) {
          throw malformed(where + " has an empty value");
        }
        list.add(each);
      }
    } else if (value != null) {
      list.add(value);
    }
    if (list.isEmpty() || list.size() > max) {
      throw malformed("%s has 1 to %d values".formatted(where, max));
    }
    return list;
  }

  private static Map<?, ?> object(@Nullable Object value, String where) throws Refusal {
    if (value instanceof Map<?, ?> members && !members.isEmpty()) {
      return members;
    }
    throw malformed(where + " is no object with members");
  }

  private static void requireKnown(Map<?, ?> members, Set<String> known) throws Refusal {
    for (Object name : members.keySet()) {
      if (!known.contains(String.valueOf(name))) {
        throw malformed(name + " in a policy is not known here");
      }
    }
  }

  private static Refusal malformed(String why) {
    return Refusal.of(new S3Fault.MalformedPolicy(why));
  }
}
