package dev.ron.gateway.core;

/**
 * What makes two requests fail together without the upstream being at fault: the same tenant asking
 * for the same part of the upstream.
 *
 * <p>The part is the first segment behind the route's prefix. A whole path would make every object
 * a part of its own, and one broken handler would look like many.
 *
 * <p>Threading: immutable.
 *
 * @param tenant its {@code key}, so that a header's name is not a capability's
 */
public record RequestKind(String tenant, String part) {
  public static RequestKind of(String tenant, String prefix, String path) {
    int from = Math.min(path.length(), prefix.length());
    while (from < path.length() && path.charAt(from) == '/') {
      from++;
    }
    int to = path.indexOf('/', from);
    return new RequestKind(tenant, to < 0 ? path.substring(from) : path.substring(from, to));
  }
}
