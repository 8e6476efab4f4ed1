package dev.ron.gateway.core;

/**
 * What makes two requests fail together without the upstream being at fault: the same client asking
 * for the same part of the upstream.
 *
 * <p>The part is the first segment behind the route's prefix. A whole path would make every object
 * a part of its own, and one broken handler would look like many.
 *
 * <p>Threading: immutable.
 *
 * @param witness a tenant's {@code key}, or the address of a stranger: one that speaks for itself
 *     alone, whatever it asks for
 */
public record RequestKind(String witness, String part) {
  public static RequestKind of(String witness, String prefix, String path) {
    int from = Math.min(path.length(), prefix.length());
    while (from < path.length() && path.charAt(from) == '/') {
      from++;
    }
    int to = path.indexOf('/', from);
    return new RequestKind(witness, to < 0 ? path.substring(from) : path.substring(from, to));
  }
}
