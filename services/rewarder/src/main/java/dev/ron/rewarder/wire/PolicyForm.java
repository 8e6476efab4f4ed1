package dev.ron.rewarder.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.rewarder.core.CanonicalJson;
import dev.ron.rewarder.core.Policy;
import dev.ron.rewarder.core.Rounding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A policy as a document, with the signatures of those who stand for it.
 *
 * <p>Signed is {@code "ron/policy/v1"} and the document in canonical JSON without its {@code
 * signatures}.
 *
 * <p>Threading: immutable.
 */
public record PolicyForm(Policy policy, List<Signature> signatures, Signed signed) {
  private static final byte[] TAG = "ron/policy/v1".getBytes(US_ASCII);
  private static final int SIGNATURES_MAX = 16;
  private static final int NAME_CHARS_MAX = 128;

  /** Who signed how; key and signature in base64. */
  public record Signature(String algorithm, String key, String value) {}

  /** The bytes that signatures are over. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Signed(byte[] bytes) {}

  public static PolicyForm parse(byte[] json) throws JsonTree.Malformed {
    Map<String, @Nullable Object> document = JsonTree.object(json);
    Fields fields = Fields.of(document);
    try {
      var policy =
          new Policy(
              name(fields, "id"),
              fields.number("version", 0, 1L << 53),
              fields.numbers("weights_ppm"),
              rounding(fields),
              fields.wide("min_payout_minor"),
              fields.wideIfAny("actor_cap_minor"),
              fields.wideIfAny("pool_cap_minor"),
              holds(fields),
              pools(fields));
      List<Signature> signatures = signatures(fields);
      fields.end();
      return new PolicyForm(policy, signatures, signedBytes(document));
    } catch (IllegalArgumentException wrong) {
      throw new JsonTree.Malformed("policy", String.valueOf(wrong.getMessage()));
    }
  }

  /** What to sign for a document. */
  public static Signed signedBytes(Map<String, @Nullable Object> document) {
    var unsigned = new LinkedHashMap<String, @Nullable Object>(document);
    unsigned.remove("signatures");
    byte[] canonical = CanonicalJson.bytes(unsigned);
    byte[] all = java.util.Arrays.copyOf(TAG, TAG.length + canonical.length);
    System.arraycopy(canonical, 0, all, TAG.length, canonical.length);
    return new Signed(all);
  }

  private static String name(Fields fields, String field) throws JsonTree.Malformed {
    String text = fields.text(field);
    if (text.isEmpty() || text.length() > NAME_CHARS_MAX || !text.matches("[A-Za-z0-9._-]+")) {
      throw fields.wrong(field, "must be 1 to 128 of A-Z a-z 0-9 . _ -");
    }
    return text;
  }

  private static Rounding rounding(Fields fields) throws JsonTree.Malformed {
    return Rounding.of(fields.text("rounding"))
        .orElseThrow(() -> fields.wrong("rounding", "must be floor or largest-remainder"));
  }

  private static boolean holds(Fields fields) throws JsonTree.Malformed {
    return switch (fields.text("on_bad_line")) {
      case "refuse" -> false;
      case "hold" -> true;
      default -> throw fields.wrong("on_bad_line", "must be refuse or hold");
    };
  }

  private static List<Policy.Pool> pools(Fields fields) throws JsonTree.Malformed {
    var pools = new ArrayList<Policy.Pool>();
    for (Fields each : fields.objects("pools", Policy.POOLS_MAX)) {
      pools.add(
          new Policy.Pool(
              name(each, "name"),
              each.number("share_ppm", 0, Policy.PPM),
              each.texts("metrics", Policy.METRICS_MAX)));
      each.end();
    }
    return pools;
  }

  private static List<Signature> signatures(Fields fields) throws JsonTree.Malformed {
    var signatures = new ArrayList<Signature>();
    for (Fields each : fields.objects("signatures", SIGNATURES_MAX)) {
      signatures.add(new Signature(each.text("alg"), each.text("key"), each.text("sig")));
      each.end();
    }
    return signatures;
  }
}
