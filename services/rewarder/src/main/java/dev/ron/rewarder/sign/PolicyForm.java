package dev.ron.rewarder.sign;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.json.Schema;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.Policy;
import dev.ron.rewarder.core.Rounding;
import dev.ron.rewarder.core.Wide;
import dev.ron.usage.CanonicalJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A policy as a document, with its signatures.
 *
 * <p>Signed is {@code "ron/policy/v1"} and the document in canonical JSON without its {@code
 * signatures}.
 *
 * <p>Threading: immutable.
 */
public record PolicyForm(Policy policy, List<Signature> signatures, SignedBytes signed) {
  private static final byte[] TAG = "ron/policy/v1".getBytes(US_ASCII);
  private static final int SIGNATURES_MAX = 16;
  private static final String HOLD = "hold";

  /** One signature: its kind, and key and signature in base64. */
  public record Signature(String algorithm, String key, String value) {}

  /** The bytes that signatures are over. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record SignedBytes(byte[] bytes) {}

  private static final String NAME_RULE = "must be 1 to 128 of A-Z a-z 0-9 . _ -";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,128}");

  private static final Form POOL =
      Form.of(
          RewarderFault.BadInput::new,
          Field.text("name", NAME, NAME_RULE),
          Field.number("share_ppm", 0, Policy.PPM),
          Field.texts("metrics", Policy.METRICS_MAX).nullable());

  private static final Form SIGNATURE =
      Form.of(RewarderFault.BadInput::new, Field.text("alg"), Field.text("key"), Field.text("sig"));

  public static final Form FORM =
      Form.of(
          RewarderFault.BadInput::new,
          Field.text("id", NAME, NAME_RULE),
          Field.number("version", 0, 1L << 53),
          Field.map("weights_ppm", Schema.WHOLE, Long.class, "must be an object of whole numbers"),
          Field.choice("rounding", Rounding.FLOOR.word(), Rounding.LARGEST_REMAINDER.word()),
          amount("min_payout_minor"),
          amount("actor_cap_minor").nullable(),
          amount("pool_cap_minor").nullable(),
          Field.choice("on_bad_line", "refuse", HOLD),
          Field.objects("pools", POOL, Policy.POOLS_MAX).nullable(),
          Field.objects("signatures", SIGNATURE, SIGNATURES_MAX).nullable());

  /** Digits as text, or a whole number. */
  public static Field amount(String name) {
    return Field.value(
        name,
        new Schema(Map.of("type", List.of("string", "integer"))),
        raw ->
            switch (raw) {
              case String text -> Wide.parse(text).orElse(null);
              case Long number when number >= 0 -> Wide.of(number);
              default -> null;
            },
        "must be a whole number from 0 to 2^127 - 1");
  }

  public static PolicyForm parse(byte[] json) throws Refusal {
    Map<String, @Nullable Object> document = FORM.tree(json);
    Fields fields = FORM.read(document);
    try {
      var policy =
          new Policy(
              fields.text("id"),
              fields.number("version"),
              fields.map("weights_ppm", Long.class),
              Rounding.of(fields.text("rounding")).orElseThrow(),
              fields.value("min_payout_minor", Wide.class),
              amountIfAny(fields, "actor_cap_minor"),
              amountIfAny(fields, "pool_cap_minor"),
              fields.text("on_bad_line").equals(HOLD),
              fields.objects("pools").stream().map(PolicyForm::pool).toList());
      List<Signature> signatures =
          fields.objects("signatures").stream().map(PolicyForm::signature).toList();
      return new PolicyForm(policy, signatures, signedBytes(document));
    } catch (IllegalArgumentException wrong) {
      throw fields.wrong("policy", String.valueOf(wrong.getMessage()));
    }
  }

  private static Optional<Wide> amountIfAny(Fields fields, String name) {
    return fields.has(name) ? Optional.of(fields.value(name, Wide.class)) : Optional.empty();
  }

  private static Policy.Pool pool(Fields pool) {
    return new Policy.Pool(pool.text("name"), pool.number("share_ppm"), pool.texts("metrics"));
  }

  private static Signature signature(Fields signature) {
    return new Signature(signature.text("alg"), signature.text("key"), signature.text("sig"));
  }

  /** What to sign for a document. */
  public static SignedBytes signedBytes(Map<String, @Nullable Object> document) {
    var unsigned = new LinkedHashMap<String, @Nullable Object>(document);
    unsigned.remove("signatures");
    byte[] canonical = CanonicalJson.bytes(unsigned);
    byte[] all = java.util.Arrays.copyOf(TAG, TAG.length + canonical.length);
    System.arraycopy(canonical, 0, all, TAG.length, canonical.length);
    return new SignedBytes(all);
  }
}
