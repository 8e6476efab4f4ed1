package dev.ron.sigv4;

import dev.ron.sigv4.payload.ChunkSignatures;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;

/**
 * Checks the signature of a request, version 4, in the field or in the query.
 *
 * <p>Everything that changes what is done must be signed: the host, every {@code x-amz-*} that is
 * present, and the whole query. What the client did not sign beyond that ({@code content-type},
 * {@code range}) is free, as it is at S3.
 *
 * <p>Threading: immutable, as far as {@code keys} is thread-safe.
 */
public record SignatureVerifier(ServiceRules rules, KeySource keys) {
  /** How far the clocks of client and server may be apart. */
  public static final Duration SKEW_MAX = Duration.ofMinutes(15);

  private static final String CONTENT_HASH = "x-amz-content-sha256";

  /** Checks a request whose body has not been read, for a service that has its form announced. */
  public Verification verify(SignedRequest request, Instant now) {
    return verify(request, Optional.empty(), now);
  }

  /**
   * Checks a request whose body is there.
   *
   * @param bodySha256 lowercase hex; counts where the request announces no hash of its own
   */
  public Verification verify(SignedRequest request, String bodySha256, Instant now) {
    return verify(request, Optional.of(new PayloadMode.Hashed(bodySha256)), now);
  }

  private Verification verify(SignedRequest request, Optional<PayloadMode> body, Instant now) {
    try {
      RequestQuery query = RequestQuery.parse(request.rawQuery());
      Optional<Authorization> signed = Authorization.of(request, query);
      return signed.isPresent()
          ? verify(request, query, signed.get(), body, now)
          : anonymous(request, body);
    } catch (SignatureRefusal refused) {
      return new Verification.Refused(refused.fault());
    }
  }

  private Verification verify(
      SignedRequest request,
      RequestQuery query,
      Authorization signed,
      Optional<PayloadMode> body,
      Instant now)
      throws SignatureRefusal {
    requireScope(signed);
    requireTime(signed, now);
    requireCoverage(request, signed);
    PayloadMode mode = mode(request, query, signed.place(), body);
    var canonical =
        CanonicalRequest.of(
            rules,
            request,
            query,
            p -> signed.place() == SignaturePlace.QUERY && isSignature(p),
            signed.signedHeaders(),
            mode.text());
    String stringToSign = canonical.stringToSign(signed.time(), signed.scope());
    DerivedKey key = key(signed);
    if (!SignatureText.same(key.sign(stringToSign), signed.signature())) {
      throw new SignatureRefusal(new SignatureFault.Mismatch(stringToSign, canonical.text()));
    }
    return new Verification.Verified(
        signed.place(),
        signed.accessKeyId(),
        signed.sessionToken(),
        signed.scope(),
        signed.time().at(),
        signed.expires().map(life -> signed.time().at().plus(life)),
        signed.signedHeaders(),
        mode,
        new ChunkSignatures.Seed(key, signed.time().text(), signed.signature()));
  }

  private DerivedKey key(Authorization signed) throws SignatureRefusal {
    var claim = new KeySource.Claim(signed.accessKeyId(), signed.sessionToken(), signed.scope());
    return switch (keys.find(claim)) {
      case KeySource.Found.None(SignatureFault fault) -> throw new SignatureRefusal(fault);
      case KeySource.Found.Key(DerivedKey key) -> {
        if (!key.scope().equals(signed.scope())) {
          throw new IllegalStateException("a key for " + key.scope().text());
        }
        yield key;
      }
    };
  }

  private void requireScope(Authorization signed) throws SignatureRefusal {
    CredentialScope scope = signed.scope();
    if (!scope.service().equals(rules.service())) {
      throw new SignatureRefusal(
          new SignatureFault.Malformed(
              signed.place(), "the credential must be for the service " + rules.service()));
    }
    if (!scope.date().equals(signed.time().date())) {
      throw new SignatureRefusal(
          new SignatureFault.Malformed(
              signed.place(), "the credential is of another day than the request"));
    }
  }

  private static void requireTime(Authorization signed, Instant now) throws SignatureRefusal {
    Instant at = signed.time().at();
    if (signed.expires().isEmpty()) {
      if (at.isBefore(now.minus(SKEW_MAX)) || at.isAfter(now.plus(SKEW_MAX))) {
        throw new SignatureRefusal(
            new SignatureFault.TimeTooSkewed(signed.time().text(), RequestTime.of(now).text()));
      }
      return;
    }
    if (at.isAfter(now.plus(SKEW_MAX))) {
      throw new SignatureRefusal(new SignatureFault.NotYetValid(signed.time().text()));
    }
    Instant end = at.plus(signed.expires().get());
    if (!now.isBefore(end)) {
      throw new SignatureRefusal(new SignatureFault.Expired(RequestTime.of(end).text()));
    }
  }

  private static void requireCoverage(SignedRequest request, Authorization signed)
      throws SignatureRefusal {
    var uncovered = new LinkedHashSet<String>(0);
    for (SignedRequest.Header header : request.headers()) {
      String name = header.name();
      if ((name.startsWith("x-amz-") || name.equals("host"))
          && !signed.signedHeaders().contains(name)) {
        uncovered.add(name);
      }
    }
    if (!uncovered.isEmpty()) {
      throw new SignatureRefusal(new SignatureFault.HeadersNotSigned(String.join(", ", uncovered)));
    }
    if (!signed.signedHeaders().contains("host")) {
      throw new SignatureRefusal(
          new SignatureFault.Malformed(signed.place(), "SignedHeaders must contain host"));
    }
  }

  private PayloadMode mode(
      SignedRequest request, RequestQuery query, SignaturePlace place, Optional<PayloadMode> body)
      throws SignatureRefusal {
    Optional<String> announced = announced(request, query, place);
    if (announced.isEmpty()) {
      if (!rules.payloadAnnounced()) {
        return body.orElseThrow(
            () -> new IllegalArgumentException("this service hashes the body before it verifies"));
      }
      if (place == SignaturePlace.HEADER) {
        throw new SignatureRefusal(
            new SignatureFault.Invalid("a signed request needs the field " + CONTENT_HASH));
      }
      return new PayloadMode.Unsigned();
    }
    PayloadMode mode = parsed(announced.get());
    boolean signedChunks = mode instanceof PayloadMode.SignedChunks;
    // A presigned request is sent by a program that has no key, so it cannot sign chunks either.
    if ((signedChunks && place == SignaturePlace.QUERY)
        || (mode.chunked() && !rules.payloadAnnounced())) {
      throw new SignatureRefusal(new SignatureFault.BadPayloadMode(mode.text()));
    }
    return mode;
  }

  /** The field; for a presigned request also the parameter that some SDKs move it to. */
  private static Optional<String> announced(
      SignedRequest request, RequestQuery query, SignaturePlace place) throws SignatureRefusal {
    Optional<String> field = request.single(CONTENT_HASH);
    Optional<String> parameter =
        place == SignaturePlace.QUERY ? query.single(CONTENT_HASH) : Optional.empty();
    if (field.isPresent() && parameter.isPresent() && !field.equals(parameter)) {
      throw new SignatureRefusal(
          new SignatureFault.Invalid(CONTENT_HASH + " is announced in two ways"));
    }
    return field.isPresent() ? field : parameter;
  }

  private static PayloadMode parsed(String announced) throws SignatureRefusal {
    return PayloadMode.parse(announced)
        .orElseThrow(
            () ->
                new SignatureRefusal(
                    new SignatureFault.BadPayloadMode("something that is not supported")));
  }

  /** Chunks that are signed go on from a signature, which is not there. */
  private static Verification anonymous(SignedRequest request, Optional<PayloadMode> body)
      throws SignatureRefusal {
    Optional<String> field = request.single(CONTENT_HASH);
    if (field.isEmpty()) {
      return new Verification.Anonymous(body.orElseGet(PayloadMode.Unsigned::new));
    }
    PayloadMode mode = parsed(field.get());
    if (mode instanceof PayloadMode.SignedChunks) {
      throw new SignatureRefusal(new SignatureFault.BadPayloadMode(mode.text()));
    }
    return new Verification.Anonymous(mode);
  }

  private static boolean isSignature(RequestQuery.Parameter parameter) {
    return parameter.name().equals(Authorization.SIGNATURE_PARAMETER);
  }
}
