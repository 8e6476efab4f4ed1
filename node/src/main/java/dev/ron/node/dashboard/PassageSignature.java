package dev.ron.node.dashboard;

import dev.ron.capability.KeyPair;
import dev.ron.capability.Macaroon;
import dev.ron.capability.MacaroonCodec;
import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.client.Origin;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignedRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Signs a page's request with the key pair that its capability is, for the doors that take
 * signatures and no tokens.
 *
 * <p>It adds no right: a pair is the token cut in two, and the door checks it as it checks any
 * other. The page could sign itself, but browsers give their cryptography to secure origins alone,
 * and the secret half would then be a second thing that a page holds.
 *
 * <p>Threading: immutable.
 */
final class PassageSignature {
  /** The doors with signatures, by the name of their service. */
  private static final Map<String, ServiceRules> DOORS =
      Map.of("s3", ServiceRules.S3, "sqs", ServiceRules.SQS);

  private static final String BEARER = "Bearer ";

  private final ServiceRules rules;
  private final RequestSigner signer;

  private PassageSignature(ServiceRules rules, RequestSigner signer) {
    this.rules = rules;
    this.signer = signer;
  }

  /**
   * @param region what the door takes signatures for
   * @param authorization what the page sent, if it did
   */
  static PassageSignature of(String service, String region, Optional<String> authorization)
      throws Refusal {
    ServiceRules rules = DOORS.get(service);
    if (rules == null) {
      throw Refusal.of(new HttpFault.NotFound("no door of " + service + " takes signatures"));
    }
    String token =
        authorization
            .filter(text -> text.startsWith(BEARER))
            .map(text -> text.substring(BEARER.length()).strip())
            .orElseThrow(() -> Refusal.of(new HttpFault.Unauth("this needs a capability")));
    if (!(MacaroonCodec.decode(token) instanceof MacaroonCodec.Decoding.Decoded(Macaroon read))) {
      throw Refusal.of(new HttpFault.Unauth("the capability cannot be read"));
    }
    KeyPair pair = KeyPair.of(read);
    return new PassageSignature(
        rules,
        new RequestSigner(rules, pair.accessKeyId(), pair.secret(), pair.sessionToken(), region));
  }

  /** Whether the door wants to hear the hash of a body before it. */
  boolean hashesBody() {
    return !rules.payloadAnnounced();
  }

  /**
   * The fields to send, without {@code Host}, which the client writes.
   *
   * @param fields what goes with the request and is signed, in lower case
   */
  Headers sign(
      Origin to,
      String method,
      String path,
      String query,
      Map<String, String> fields,
      PayloadMode mode,
      Instant now) {
    List<SignedRequest.Header> all = new ArrayList<>();
    all.add(new SignedRequest.Header("host", to.authority()));
    fields.forEach(
        (name, value) -> all.add(new SignedRequest.Header(name.toLowerCase(Locale.ROOT), value)));
    var signed = signer.sign(new SignedRequest(method, path, query, all), mode, now).request();
    var headers = new Headers();
    signed.headers().stream()
        .filter(field -> !field.name().equals("host"))
        .forEach(field -> headers.add(field.name(), field.value()));
    return headers;
  }
}
