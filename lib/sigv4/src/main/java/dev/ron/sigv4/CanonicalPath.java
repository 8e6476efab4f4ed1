package dev.ron.sigv4;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayDeque;

/**
 * The path as it is signed.
 *
 * <p>Threading: immutable.
 */
final class CanonicalPath {
  private CanonicalPath() {}

  static String of(ServiceRules rules, String rawPath) throws SignatureRefusal {
    String path = rawPath.isEmpty() ? "/" : rawPath;
    // Resolved, `.` would be the root: what does not begin there is no path of a request.
    if (!path.startsWith("/")) {
      throw new SignatureRefusal(
          new SignatureFault.BadTarget("the path does not begin with a slash"));
    }
    if (!rules.pathAsSent()) {
      // Not decoded: here the escapes of the client are text, and are escaped once more.
      return PercentText.encode(resolved(path).getBytes(ISO_8859_1), true);
    }
    if (PercentText.isPlain(path, true)) {
      return path;
    }
    byte[] decoded =
        PercentText.decode(path)
            .orElseThrow(
                () ->
                    new SignatureRefusal(
                        new SignatureFault.BadTarget(
                            "the path has an escape that stands for no byte")));
    return PercentText.encode(decoded, true);
  }

  /** Without dot segments and doubled slashes. */
  private static String resolved(String path) {
    var kept = new ArrayDeque<String>();
    for (String segment : path.split("/", -1)) {
      switch (segment) {
        case "", "." -> {}
        case ".." -> kept.pollLast();
        default -> kept.add(segment);
      }
    }
    String joined = "/" + String.join("/", kept);
    return path.endsWith("/") && !kept.isEmpty() ? joined + "/" : joined;
  }
}
