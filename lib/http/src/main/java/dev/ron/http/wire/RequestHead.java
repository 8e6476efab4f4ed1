package dev.ron.http.wire;

import dev.ron.http.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A request without its body, checked and normalised.
 *
 * <p>Threading: immutable once parsed.
 *
 * @param authority what the request is addressed to, host and port as sent; empty for HTTP/1.0
 *     without Host
 * @param path normalised once; this form is matched and forwarded
 * @param query as sent, without the question mark; null if there was none
 * @param bodyLength bytes that follow, 0 for none, {@link #UNKNOWN} until the sender ends it
 * @param keepAlive whether the sender wants to go on after this request
 */
public record RequestHead(
    String method,
    Protocol protocol,
    String authority,
    String path,
    @Nullable String query,
    Headers headers,
    long bodyLength,
    boolean keepAlive) {
  /** The body ends where its framing says so. */
  public static final long UNKNOWN = -1;

  /** What was spoken. */
  public enum Protocol {
    HTTP_1_0,
    HTTP_1_1,
    HTTP_2
  }

  /** Stands in for a head that could not be read, so that the refusal has something to answer. */
  public static RequestHead unread(Protocol protocol) {
    return new RequestHead("none", protocol, "", "/", null, new Headers(1), 0, false);
  }

  public boolean hasBody() {
    return bodyLength != 0;
  }

  /** Path and query, as they are forwarded. */
  public String target() {
    return query == null ? path : path + "?" + query;
  }
}
