package dev.ron.storage.s3.form;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.sigv4.CredentialScope;
import dev.ron.sigv4.DerivedKey;
import dev.ron.sigv4.KeySource;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignatureFault;
import dev.ron.sigv4.SignatureText;
import dev.ron.sigv4.SignatureVerifier;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Admission;
import dev.ron.storage.s3.api.S3Caller;
import dev.ron.storage.s3.api.S3Keys;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Who signed the policy of a form, by version 4. A form without any part of a signature comes from
 * a caller without a key; one with some parts of it is refused.
 *
 * <p>Threading: immutable.
 */
record FormSignature(KeySource.Claim claim, String policy, String signature) {
  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final Duration AGE_MAX = Duration.ofDays(7);
  private static final List<String> FIELDS =
      List.of("policy", "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-signature");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT);

  /** As the form claims it; empty if it has none. */
  static Optional<FormSignature> of(PostedForm form, Instant now) throws Refusal {
    if (form.has("awsaccesskeyid") || form.has("signature")) {
      throw Refusal.of(new SignatureFault.OtherScheme("a form signed by version 2"));
    }
    if (FIELDS.stream().noneMatch(form::has)) {
      return Optional.empty();
    }
    for (String field : FIELDS) {
      if (!form.has(field)) {
        throw Refusal.of(
            new S3Fault.InvalidArgument("Bucket POST must contain a field named '" + field + "'."));
      }
    }
    if (!ALGORITHM.equals(form.fields().get("x-amz-algorithm"))) {
      throw Refusal.of(new SignatureFault.OtherScheme(form.field("x-amz-algorithm").orElse("")));
    }
    String[] credential = form.field("x-amz-credential").orElse("").split("/", -1);
    CredentialScope scope = scope(credential);
    requireTime(form.field("x-amz-date").orElse(""), scope, now);
    return Optional.of(
        new FormSignature(
            new KeySource.Claim(credential[0], form.field("x-amz-security-token"), scope),
            form.field("policy").orElse(""),
            form.field("x-amz-signature").orElse("")));
  }

  /** The holder of the pair that signed it, let in. */
  S3Caller caller(Exchange exchange, S3Admission admission) throws Refusal {
    S3Keys keys = admission.keys(exchange);
    return switch (keys.find(claim)) {
      case KeySource.Found.None(SignatureFault fault) -> throw keys.refuse(fault);
      case KeySource.Found.Key(DerivedKey key) -> {
        if (!SignatureText.same(key.sign(policy), signature)) {
          throw keys.refuse(new SignatureFault.Mismatch(policy, ""));
        }
        yield admission.holder(exchange, keys);
      }
    };
  }

  private static CredentialScope scope(String[] credential) throws Refusal {
    if (credential.length == 5
        && credential[3].equals(ServiceRules.S3.service())
        && credential[4].equals("aws4_request")) {
      try {
        return new CredentialScope(credential[1], credential[2], credential[3]);
      } catch (IllegalArgumentException _) {
        // said below
      }
    }
    throw Refusal.of(
        new S3Fault.InvalidArgument("x-amz-credential is ID/yyyymmdd/REGION/s3/aws4_request"));
  }

  private static void requireTime(String text, CredentialScope scope, Instant now) throws Refusal {
    Instant at;
    try {
      at = LocalDateTime.parse(text, TIME).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException _) {
      throw Refusal.of(new SignatureFault.NoDate());
    }
    if (!text.startsWith(scope.date())) {
      throw Refusal.of(new S3Fault.InvalidArgument("x-amz-date is of another day than the scope"));
    }
    if (at.isAfter(now.plus(SignatureVerifier.SKEW_MAX)) || at.isBefore(now.minus(AGE_MAX))) {
      throw Refusal.of(
          new S3Fault.AccessDenied("the policy was signed in the future or too long ago"));
    }
  }
}
