package dev.ron.sigv4;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a request says about its own signature, read but not yet believed.
 *
 * <p>Threading: immutable.
 *
 * @param expires how long a presigned request is valid; empty for the header form
 */
record Authorization(
    SignaturePlace place,
    String accessKeyId,
    CredentialScope scope,
    List<String> signedHeaders,
    String signature,
    RequestTime time,
    Optional<Duration> expires,
    Optional<String> sessionToken) {
  static final String ALGORITHM = "AWS4-HMAC-SHA256";
  static final String SIGNATURE_PARAMETER = "X-Amz-Signature";

  private static final int SIGNED_HEADERS_MAX = 128;

  /** Of the field. */
  private static final List<String> PARTS = List.of("Credential", "SignedHeaders", "Signature");

  /** Any of these in the query is an attempt to sign there. */
  private static final List<String> QUERY_MARKS =
      List.of(
          "X-Amz-Algorithm",
          "X-Amz-Credential",
          SIGNATURE_PARAMETER,
          "X-Amz-SignedHeaders",
          "X-Amz-Expires",
          "X-Amz-Date",
          "X-Amz-Security-Token");

  /** Empty if the request carries no signature of any kind. */
  static Optional<Authorization> of(SignedRequest request, RequestQuery query)
      throws SignatureRefusal {
    List<String> fields = request.values("authorization");
    boolean inQuery = isIn(query);
    boolean version2 =
        query.has("AWSAccessKeyId") || (query.has("Signature") && query.has("Expires"));
    if (fields.size() > 1
        || (!fields.isEmpty() && (inQuery || version2))
        || (inQuery && version2)) {
      throw new SignatureRefusal(new SignatureFault.TwoSignatures());
    }
    if (version2) {
      throw new SignatureRefusal(new SignatureFault.OtherScheme("signature version 2"));
    }
    if (inQuery) {
      return Optional.of(fromQuery(request, query));
    }
    return fields.isEmpty()
        ? Optional.empty()
        : Optional.of(fromHeader(request, fields.getFirst().strip()));
  }

  private static boolean isIn(RequestQuery query) {
    for (String mark : QUERY_MARKS) {
      if (query.has(mark)) {
        return true;
      }
    }
    return false;
  }

  private static Authorization fromHeader(SignedRequest request, String text)
      throws SignatureRefusal {
    int space = text.indexOf(' ');
    requireAlgorithm(space < 0 ? text : text.substring(0, space));
    @Nullable String[] parts = parts(space < 0 ? "" : text.substring(space + 1));
    var place = SignaturePlace.HEADER;
    var credential = CredentialScope.parse(place, part(parts, 0));
    return new Authorization(
        place,
        credential.accessKeyId(),
        credential.scope(),
        signedHeaders(place, part(parts, 1)),
        signature(place, part(parts, 2)),
        time(request),
        Optional.empty(),
        request.single("x-amz-security-token"));
  }

  private static Authorization fromQuery(SignedRequest request, RequestQuery query)
      throws SignatureRefusal {
    requireAlgorithm(parameter(query, "X-Amz-Algorithm"));
    var place = SignaturePlace.QUERY;
    var credential = CredentialScope.parse(place, parameter(query, "X-Amz-Credential"));
    RequestTime time =
        RequestTime.parse(parameter(query, "X-Amz-Date"))
            .orElseThrow(() -> malformed(place, "X-Amz-Date must be yyyymmddThhmmssZ"));
    if (!request.values("x-amz-security-token").isEmpty()) {
      throw malformed(place, "the session token of a presigned request belongs into its query");
    }
    return new Authorization(
        place,
        credential.accessKeyId(),
        credential.scope(),
        signedHeaders(place, parameter(query, "X-Amz-SignedHeaders")),
        signature(place, parameter(query, SIGNATURE_PARAMETER)),
        time,
        Optional.of(expires(parameter(query, "X-Amz-Expires"))),
        query.exact("X-Amz-Security-Token"));
  }

  private static void requireAlgorithm(String algorithm) throws SignatureRefusal {
    switch (algorithm) {
      case ALGORITHM -> {}
      case "" -> throw new SignatureRefusal(new SignatureFault.Empty());
      case "AWS" ->
          throw new SignatureRefusal(new SignatureFault.OtherScheme("signature version 2"));
      case "AWS4-ECDSA-P256-SHA256" ->
          throw new SignatureRefusal(
              new SignatureFault.OtherScheme("the asymmetric signature version 4"));
      default ->
          throw new SignatureRefusal(new SignatureFault.OtherScheme("this way to authenticate"));
    }
  }

  /** {@code name=value} by commas; each name once. */
  private static @Nullable String[] parts(String text) throws SignatureRefusal {
    @Nullable String[] parts = new @Nullable String[PARTS.size()];
    int end;
    for (int from = 0; from <= text.length(); from = end + 1) {
      int comma = text.indexOf(',', from);
      end = comma < 0 ? text.length() : comma;
      String part = text.substring(from, end).strip();
      int equals = part.indexOf('=');
      int which = equals < 0 ? -1 : PARTS.indexOf(part.substring(0, equals));
      if (which < 0 || parts[which] != null) {
        throw malformed(
            SignaturePlace.HEADER, "Authorization is Credential=, SignedHeaders=, Signature=");
      }
      parts[which] = part.substring(equals + 1);
    }
    return parts;
  }

  private static String part(@Nullable String[] parts, int which) throws SignatureRefusal {
    String value = parts[which];
    if (value == null) {
      throw malformed(SignaturePlace.HEADER, "Authorization has no " + PARTS.get(which));
    }
    return value;
  }

  private static String parameter(RequestQuery query, String name) throws SignatureRefusal {
    return query
        .exact(name)
        .orElseThrow(() -> malformed(SignaturePlace.QUERY, "the query has no " + name));
  }

  /** In ascending order and each once, so that a list has one spelling. */
  private static List<String> signedHeaders(SignaturePlace place, String text)
      throws SignatureRefusal {
    List<String> names = List.of(text.split(";", SIGNED_HEADERS_MAX + 1));
    String before = "";
    for (String name : names) {
      if (names.size() > SIGNED_HEADERS_MAX || !isLower(name) || name.compareTo(before) <= 0) {
        throw malformed(
            place, "SignedHeaders are names in lower case, in ascending order, by semicolons");
      }
      before = name;
    }
    return names;
  }

  private static boolean isLower(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c <= ' ' || c >= 0x7f || (c >= 'A' && c <= 'Z')) {
        return false;
      }
    }
    return true;
  }

  private static String signature(SignaturePlace place, String text) throws SignatureRefusal {
    if (!SignatureText.isHex(text)) {
      throw malformed(place, "a signature is 64 lowercase hex digits");
    }
    return text;
  }

  /** {@code x-amz-date} counts; {@code Date} where it is absent. */
  private static RequestTime time(SignedRequest request) throws SignatureRefusal {
    Optional<String> exact = request.single("x-amz-date");
    Optional<RequestTime> time =
        exact.isPresent()
            ? RequestTime.parse(exact.get())
            : request.single("date").flatMap(RequestTime::parseDate);
    return time.orElseThrow(() -> new SignatureRefusal(new SignatureFault.NoDate()));
  }

  private static Duration expires(String text) throws SignatureRefusal {
    if (text.length() <= 6 && !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      int seconds = Integer.parseInt(text);
      if (seconds >= 1 && seconds <= 604_800) {
        return Duration.ofSeconds(seconds);
      }
    }
    throw new SignatureRefusal(
        new SignatureFault.BadExpires("X-Amz-Expires is from 1 to 604800 seconds"));
  }

  private static SignatureRefusal malformed(SignaturePlace place, String why) {
    return new SignatureRefusal(new SignatureFault.Malformed(place, why));
  }
}
