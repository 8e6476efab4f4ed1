package dev.ron.edge.core;

/**
 * What stored answers are found by: the upstream's address of the thing, path and query included
 * (RFC 9111 section 2).
 *
 * <p>The method is not part of it, because only answers to GET are stored.
 *
 * <p>Threading: immutable.
 *
 * @param origin scheme, host and port in lower case
 * @param target path and query, escaped, beginning with a slash
 */
public record CacheKey(String origin, String target) {
  @Override
  public String toString() {
    return origin + target;
  }
}
