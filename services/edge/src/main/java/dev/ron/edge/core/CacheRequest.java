package dev.ron.edge.core;

import dev.ron.http.Headers;
import dev.ron.http.field.CacheControl;

/**
 * A request as a cache sees it.
 *
 * <p>Threading: immutable.
 */
public record CacheRequest(String method, CacheKey key, Headers headers, CacheControl control) {
  public static CacheRequest of(String method, CacheKey key, Headers headers) {
    CacheControl control =
        headers.has("Cache-Control")
            ? CacheControl.parse(headers.all("Cache-Control"))
            : CacheControl.NONE;
    return new CacheRequest(method, key, headers, control);
  }

  public boolean isHead() {
    return method.equals("HEAD");
  }

  /** GET and HEAD, which stored answers can serve. */
  public boolean reads() {
    return method.equals("GET") || isHead();
  }

  /** Says who asks, so that the answer may be meant for that one alone. */
  public boolean isPersonal() {
    return headers.has("Cookie");
  }

  public boolean hasRange() {
    return method.equals("GET") && headers.has("Range");
  }
}
