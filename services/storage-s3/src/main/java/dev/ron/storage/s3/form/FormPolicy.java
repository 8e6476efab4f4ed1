package dev.ron.storage.s3.form;

import dev.ron.http.Refusal;
import dev.ron.http.json.JsonTree;
import dev.ron.storage.s3.S3Fault;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the signer lets a form be: until when, and each field by a condition. A field that no
 * condition is about is refused, as is a condition without its field.
 *
 * <p>Threading: immutable.
 *
 * @param bytesMin the smallest file that may be sent
 * @param bytesMax the largest
 */
record FormPolicy(
    Instant expiration, List<FormCondition> conditions, long bytesMin, long bytesMax) {
  private static final Set<String> MEMBERS = Set.of("expiration", "conditions");
  private static final Set<String> UNCOVERED = Set.of("policy", "x-amz-signature", "file");
  private static final String BUCKET = "bucket";
  private static final String KEY = "key";
  private static final int CONDITIONS_MAX = 200;

  FormPolicy {
    conditions = List.copyOf(conditions);
  }

  /** Reads the text of the field {@code policy}. */
  static FormPolicy parse(String base64) throws Refusal {
    Map<String, @Nullable Object> root;
    try {
      root = JsonTree.object(Base64.getDecoder().decode(base64.replaceAll("\\s", "")));
    } catch (IllegalArgumentException _) {
      throw invalid("it is not base64");
    } catch (Refusal refusal) {
      throw invalid(refusal.fault().detail());
    }
    if (!root.keySet().equals(MEMBERS)) {
      throw invalid("it has expiration and conditions, and nothing else");
    }
    if (!(root.get("conditions") instanceof List<?> list) || list.size() > CONDITIONS_MAX) {
      throw invalid("conditions is a list of up to " + CONDITIONS_MAX);
    }
    var conditions = new ArrayList<FormCondition>();
    long min = 0;
    long max = Long.MAX_VALUE;
    for (Object each : list) {
      if (each instanceof List<?> triple && triple.size() == 3) {
        if ("content-length-range".equals(triple.getFirst())) {
          min = Math.max(min, bytes(triple.get(1)));
          max = Math.min(max, bytes(triple.get(2)));
        } else {
          conditions.add(condition(triple));
        }
      } else {
        conditions.addAll(exact(each));
      }
    }
    return new FormPolicy(expiration(root.get("expiration")), conditions, min, max);
  }

  private static FormCondition condition(List<?> triple) throws Refusal {
    if (triple.get(0) instanceof String operator
        && triple.get(1) instanceof String field
        && triple.get(2) instanceof String value
        && field.startsWith("$")) {
      boolean prefix = operator.equalsIgnoreCase("starts-with");
      if (prefix || operator.equalsIgnoreCase("eq")) {
        return new FormCondition(field.substring(1).toLowerCase(Locale.ROOT), prefix, value);
      }
    }
    throw invalid("a condition is [\"eq\" or \"starts-with\", \"$field\", \"value\"]");
  }

  private static List<FormCondition> exact(@Nullable Object each) throws Refusal {
    if (!(each instanceof Map<?, ?> members) || members.isEmpty()) {
      throw invalid("a condition is a list of three or an object with a member");
    }
    var conditions = new ArrayList<FormCondition>();
    for (Map.Entry<?, ?> member : members.entrySet()) {
      if (!(member.getValue() instanceof String value)) {
        throw invalid("the condition of " + member.getKey() + " is no text");
      }
      String field = String.valueOf(member.getKey()).toLowerCase(Locale.ROOT);
      conditions.add(new FormCondition(field, false, value));
    }
    return conditions;
  }

  private static long bytes(Object value) throws Refusal {
    if (value instanceof Long number && number >= 0) {
      return number;
    }
    throw invalid("content-length-range has two numbers");
  }

  private static Instant expiration(@Nullable Object value) throws Refusal {
    try {
      if (value instanceof String text) {
        return Instant.parse(text);
      }
    } catch (DateTimeException _) {
      // said below
    }
    throw invalid("expiration is a time in ISO 8601, in UTC");
  }

  /** Refuses a form that the signer did not mean. */
  void require(PostedForm form, String bucket, Instant now) throws Refusal {
    if (!now.isBefore(expiration)) {
      throw denied("Policy expired.");
    }
    for (FormCondition condition : conditions) {
      String value = value(form, condition.field(), bucket);
      if (value == null || !condition.fits(value)) {
        throw denied("Policy Condition failed: " + condition.field());
      }
    }
    requireCovered(BUCKET);
    for (String field : form.fields().keySet()) {
      if (!UNCOVERED.contains(field) && !field.startsWith("x-ignore-")) {
        requireCovered(field);
      }
    }
    if (!bucket.equals(form.field(BUCKET).orElse(bucket))) {
      throw denied("the field bucket names another bucket");
    }
  }

  /** The bucket is the one that is posted to, and the key the one that is stored. */
  private static @Nullable String value(PostedForm form, String field, String bucket)
      throws Refusal {
    return switch (field) {
      case BUCKET -> bucket;
      case KEY -> form.key();
      default -> form.fields().get(field);
    };
  }

  private void requireCovered(String field) throws Refusal {
    if (conditions.stream().noneMatch(condition -> condition.field().equals(field))) {
      throw denied("Extra input fields: " + field);
    }
  }

  private static Refusal denied(String why) {
    return Refusal.of(new S3Fault.AccessDenied("Invalid according to Policy: " + why));
  }

  private static Refusal invalid(String why) {
    return Refusal.of(new S3Fault.InvalidPolicyDocument("Invalid Policy: " + why));
  }
}
