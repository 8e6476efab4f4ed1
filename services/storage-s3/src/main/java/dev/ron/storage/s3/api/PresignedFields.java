package dev.ron.storage.s3.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.sigv4.SignaturePlace;
import dev.ron.sigv4.Verification;
import dev.ron.storage.s3.S3Fault;
import java.util.List;
import java.util.Locale;

/**
 * Fields that stand in the query of a signed link, where SDKs put them so that a browser need not
 * send them: the signature covers them there too.
 *
 * <p>Those that say something of the object are taken as if they were sent. Those that make another
 * request of it are refused: left out, a copy would replace its object by nothing, a lock would not
 * lock, and a deletion on condition would have none.
 *
 * <p>Threading: stateless.
 */
final class PresignedFields {
  private static final List<String> TAKEN =
      List.of("x-amz-meta-", "x-amz-acl", "x-amz-grant-", "x-amz-expected-bucket-owner");

  private static final List<String> REFUSED =
      List.of(
          "x-amz-copy-source",
          "x-amz-if-match-",
          "x-amz-object-lock-",
          "x-amz-server-side-encryption",
          "x-amz-source-expected-bucket-owner",
          "x-amz-write-offset-bytes");

  private PresignedFields() {}

  /** The fields of a request with those of its link; what is sent goes before what is linked. */
  static Headers of(Verification verification, S3Query query, Headers sent) throws Refusal {
    if (!(verification instanceof Verification.Verified verified)
        || verified.place() != SignaturePlace.QUERY) {
      return sent;
    }
    Headers both = sent;
    for (S3Query.Parameter parameter : query.parameters()) {
      String name = parameter.name().toLowerCase(Locale.ROOT);
      if (begins(REFUSED, name)) {
        throw Refusal.of(
            new S3Fault.InvalidRequest(name + " is a field of the request, not of its link"));
      }
      if (begins(TAKEN, name) && !sent.has(name)) {
        both = both == sent ? sent.copy() : both;
        add(both, name, parameter.value());
      }
    }
    return both;
  }

  private static boolean begins(List<String> names, String name) {
    return names.stream().anyMatch(name::startsWith);
  }

  private static void add(Headers fields, String name, String value) throws Refusal {
    try {
      // As a field has it: each character is one byte of the wire.
      fields.add(name, new String(value.getBytes(UTF_8), ISO_8859_1));
    } catch (IllegalArgumentException _) {
      throw Refusal.of(new S3Fault.InvalidArgument(name + " cannot be a field of a request"));
    }
  }
}
