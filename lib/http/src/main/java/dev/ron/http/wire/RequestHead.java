package dev.ron.http.wire;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request without its body, checked and normalised.
 *
 * <p>Threading: immutable once parsed.
 *
 * @param authority what the request is addressed to, host and port as sent; empty for HTTP/1.0
 *     without Host
 * @param path in the door's {@link PathForm}, normalised once unless the door asks for it raw; this
 *     form is matched and forwarded
 * @param rawPath exactly as sent, of an absolute target the part behind the host
 * @param query as sent, without the question mark; null if there was none
 * @param bodyLength bytes that follow, 0 for none, {@link #UNKNOWN} until the sender ends it
 * @param keepAlive whether the sender wants to go on after this request
 */
public record RequestHead(
    String method,
    Protocol protocol,
    String authority,
    String path,
    String rawPath,
    @Nullable String query,
    Headers headers,
    long bodyLength,
    boolean keepAlive) {
  /** The body ends where its framing says so. */
  public static final long UNKNOWN = -1;

  /** Some servers read the first line of these, some the last, some all of them together. */
  private static final List<String> ONCE =
      List.of("Authorization", "Content-Encoding", "Content-Type", "Expect");

  /** The protocol of the request. */
  public enum Protocol {
    HTTP_1_0,
    HTTP_1_1,
    HTTP_2
  }

  /** Checks what a request over any protocol must not leave open. */
  static RequestHead of(
      String method,
      Protocol protocol,
      String authority,
      PathForm form,
      String rawPath,
      @Nullable String query,
      Headers headers,
      long bodyLength,
      boolean keepAlive)
      throws Refusal {
    if (method.equalsIgnoreCase("CONNECT")) {
      throw Refusal.malformed("CONNECT is not served here");
    }
    for (String name : ONCE) {
      if (headers.count(name) > 1) {
        throw Refusal.malformed(name + " on more than one line; send it once");
      }
    }
    if (headers.count("Cookie") > 1) {
      // HTTP/2 may cut it into pieces; put together, it has one reading (RFC 9113, 8.2.3).
      headers.set("Cookie", String.join("; ", headers.all("Cookie")));
    }
    String path = rawPath.equals("*") ? rawPath : form.of(rawPath);
    return new RequestHead(
        method, protocol, authority, path, rawPath, query, headers, bodyLength, keepAlive);
  }

  /**
   * Stands in for a head that could not be read, so that the refusal has something to answer.
   *
   * @param isHead it began as one of HEAD, so that the refusal may have no body
   */
  public static RequestHead unread(Protocol protocol, boolean isHead) {
    String method = isHead ? "HEAD" : "none";
    return new RequestHead(method, protocol, "", "/", "/", null, new Headers(1), 0, false);
  }

  public boolean hasBody() {
    return bodyLength != 0;
  }

  /** Path and query, as they are forwarded. */
  public String target() {
    return query == null ? path : path + "?" + query;
  }
}
