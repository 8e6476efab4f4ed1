package dev.ron.sigv4;

import java.util.List;
import java.util.function.Predicate;

/**
 * A request in the one form that client and server both hash.
 *
 * <p>Threading: immutable.
 */
record CanonicalRequest(String text) {
  /**
   * A signed field that is not there leaves no line, so that no signature fits which covered it.
   */
  static CanonicalRequest of(
      ServiceRules rules,
      SignedRequest request,
      RequestQuery query,
      Predicate<RequestQuery.Parameter> leftOut,
      List<String> signedHeaders,
      String payload)
      throws SignatureRefusal {
    var text = new StringBuilder(512);
    text.append(request.method()).append('\n');
    text.append(CanonicalPath.of(rules, request.rawPath())).append('\n');
    query.canonical(leftOut, text);
    text.append('\n');
    for (String name : signedHeaders) {
      List<String> values = request.values(name);
      if (!values.isEmpty()) {
        text.append(name).append(':');
        for (int i = 0; i < values.size(); i++) {
          fold(values.get(i), i == 0 ? text : text.append(','));
        }
        text.append('\n');
      }
    }
    text.append('\n').append(String.join(";", signedHeaders)).append('\n').append(payload);
    return new CanonicalRequest(text.toString());
  }

  String stringToSign(RequestTime time, CredentialScope scope) {
    return String.join(
        "\n", Authorization.ALGORITHM, time.text(), scope.text(), SignatureText.sha256(text));
  }

  /** Without white space at the ends, and with one space for each run inside. */
  private static void fold(String value, StringBuilder out) {
    int start = out.length();
    boolean space = false;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == ' ' || c == '\t') {
        space = true;
      } else {
        if (space && out.length() > start) {
          out.append(' ');
        }
        space = false;
        out.append(c);
      }
    }
  }
}
