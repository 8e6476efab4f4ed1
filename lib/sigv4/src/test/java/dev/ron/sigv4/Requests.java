package dev.ron.sigv4;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Requests and keys for tests: a request is written as its head looks on the wire. */
public final class Requests {
  public static final String ID = "AKIAIOSFODNN7EXAMPLE";
  public static final String SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

  /** Knows one key, and no session tokens. */
  public static final KeySource KEYS =
      claim ->
          claim.accessKeyId().equals(ID)
              ? new KeySource.Found.Key(DerivedKey.of(SECRET, claim.scope()))
              : new KeySource.Found.None(new SignatureFault.UnknownAccessKey());

  private Requests() {}

  /** The method and target, then a field on each line. */
  public static SignedRequest of(String head) {
    List<String> lines = head.strip().lines().toList();
    int space = lines.getFirst().indexOf(' ');
    String target = lines.getFirst().substring(space + 1);
    int question = target.indexOf('?');
    var headers = new ArrayList<SignedRequest.Header>();
    for (String line : lines.subList(1, lines.size())) {
      int colon = line.indexOf(':');
      headers.add(
          new SignedRequest.Header(line.substring(0, colon), line.substring(colon + 1).strip()));
    }
    return new SignedRequest(
        lines.getFirst().substring(0, space),
        question < 0 ? target : target.substring(0, question),
        question < 0 ? "" : target.substring(question + 1),
        headers);
  }

  /** The request without the fields of that name. */
  public static SignedRequest without(SignedRequest request, String name) {
    return new SignedRequest(
        request.method(),
        request.rawPath(),
        request.rawQuery(),
        request.headers().stream().filter(h -> !h.name().equals(name)).toList());
  }

  /** The request with another value in the field. */
  public static SignedRequest replaced(SignedRequest request, String name, String value) {
    return without(request, name).with(name, value);
  }

  public static RequestSigner signer(ServiceRules rules) {
    return new RequestSigner(rules, ID, SECRET, Optional.empty(), "us-east-1");
  }

  public static SignatureFault fault(Verification verification) {
    if (verification instanceof Verification.Refused(SignatureFault fault)) {
      return fault;
    }
    throw new AssertionError("not refused: " + verification);
  }

  public static Verification.Verified verified(Verification verification) {
    if (verification instanceof Verification.Verified verified) {
      return verified;
    }
    throw new AssertionError("not verified: " + fault(verification).members());
  }
}
