package dev.ron.sigv4;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.sigv4.payload.ChunkSignatures;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Signs requests as a client of S3 or SQS.
 *
 * <p>Every field that is given is signed, so callers leave out what a proxy may change.
 *
 * <p>Threading: immutable.
 */
public final class RequestSigner {
  private final ServiceRules rules;
  private final String accessKeyId;
  private final String secret;
  private final Optional<String> sessionToken;
  private final String region;

  public RequestSigner(
      ServiceRules rules,
      String accessKeyId,
      String secret,
      Optional<String> sessionToken,
      String region) {
    this.rules = rules;
    this.accessKeyId = accessKeyId;
    this.secret = secret;
    this.sessionToken = sessionToken;
    this.region = region;
  }

  /** A request with its signature, and what its chunks go on from. */
  public record Signing(SignedRequest request, ChunkSignatures.Seed seed) {}

  /** Adds date, payload mode, session token and {@code Authorization}; {@code host} is there. */
  public Signing sign(SignedRequest unsigned, PayloadMode mode, Instant now) {
    RequestTime time = RequestTime.of(now);
    SignedRequest request = unsigned.with("x-amz-date", time.text());
    if (rules.payloadAnnounced() || !(mode instanceof PayloadMode.Hashed)) {
      request = request.with("x-amz-content-sha256", mode.text());
    }
    if (sessionToken.isPresent()) {
      request = request.with("x-amz-security-token", sessionToken.get());
    }
    CredentialScope scope = scope(time);
    DerivedKey key = DerivedKey.of(secret, scope);
    List<String> names = names(request);
    String signature = signature(request, time, key, names, mode.text());
    String authorization =
        "%s Credential=%s/%s, SignedHeaders=%s, Signature=%s"
            .formatted(
                Authorization.ALGORITHM,
                accessKeyId,
                scope.text(),
                String.join(";", names),
                signature);
    return new Signing(
        request.with("authorization", authorization),
        new ChunkSignatures.Seed(key, time.text(), signature));
  }

  /** The same request with a query that lets any program send it until it expires. */
  public SignedRequest presign(SignedRequest unsigned, Duration life, Instant now) {
    RequestTime time = RequestTime.of(now);
    CredentialScope scope = scope(time);
    List<String> names = names(unsigned);
    var query = new StringBuilder(unsigned.rawQuery());
    append(query, "X-Amz-Algorithm", Authorization.ALGORITHM);
    append(query, "X-Amz-Credential", accessKeyId + "/" + scope.text());
    append(query, "X-Amz-Date", time.text());
    append(query, "X-Amz-Expires", String.valueOf(life.toSeconds()));
    sessionToken.ifPresent(token -> append(query, "X-Amz-Security-Token", token));
    append(query, "X-Amz-SignedHeaders", String.join(";", names));
    SignedRequest request = unsigned.withQuery(query.toString());
    String payload =
        rules.payloadAnnounced() ? new PayloadMode.Unsigned().text() : SignatureText.EMPTY_SHA256;
    String signature = signature(request, time, DerivedKey.of(secret, scope), names, payload);
    append(query, Authorization.SIGNATURE_PARAMETER, signature);
    return unsigned.withQuery(query.toString());
  }

  /** Bytes of a name (an object's key, a prefix) as a path or query carries them. */
  public static String escaped(String text, boolean slashStays) {
    return PercentText.encode(text.getBytes(UTF_8), slashStays);
  }

  private CredentialScope scope(RequestTime time) {
    return new CredentialScope(time.date(), region, rules.service());
  }

  private static List<String> names(SignedRequest request) {
    return request.headers().stream().map(SignedRequest.Header::name).distinct().sorted().toList();
  }

  private String signature(
      SignedRequest request, RequestTime time, DerivedKey key, List<String> names, String payload) {
    try {
      Predicate<RequestQuery.Parameter> none = _ -> false;
      var query = RequestQuery.parse(request.rawQuery());
      return key.sign(
          CanonicalRequest.of(rules, request, query, none, names, payload)
              .stringToSign(time, key.scope()));
    } catch (SignatureRefusal unreadable) {
      throw new IllegalArgumentException(unreadable.getMessage(), unreadable);
    }
  }

  private static void append(StringBuilder query, String name, String value) {
    if (!query.isEmpty()) {
      query.append('&');
    }
    query.append(name).append('=');
    query.append(PercentText.encode(value.getBytes(ISO_8859_1), false));
  }

  @Override
  public String toString() {
    return "RequestSigner[" + accessKeyId + "]";
  }
}
