package dev.ron.http.client;

import dev.ron.http.FieldText;
import dev.ron.http.Headers;
import dev.ron.http.field.TraceParent;
import dev.ron.kernel.trace.Span;
import dev.ron.kernel.trace.TraceContext;
import java.net.URI;
import java.util.Set;

/**
 * A request to send.
 *
 * <p>Threading: immutable.
 *
 * @param target path and query, escaped
 * @param headers without framing fields, which the client writes; a Host among them replaces the
 *     origin's, for a proxy that passes a request on
 * @param bodyLength bytes that will be written, 0 for none, -1 if only the end will tell
 * @param body the whole body if it is in memory; otherwise it is written to the call
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost every request
public record ClientRequest(
    String method, Origin origin, String target, Headers headers, long bodyLength, byte[] body) {
  private static final Set<String> IDEMPOTENT =
      Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE");

  public ClientRequest {
    if (!target.startsWith("/") && !target.equals("*")) {
      throw new IllegalArgumentException("target " + target);
    }
    for (int i = 0; i < target.length(); i++) {
      if (target.charAt(i) <= ' ' || target.charAt(i) > '~') {
        throw new IllegalArgumentException("a character in the target that must be escaped");
      }
    }
    if (!FieldText.isToken(method)) {
      throw new IllegalArgumentException("method " + method);
    }
    if (bodyLength < -1 || (body.length > 0 && body.length != bodyLength)) {
      throw new IllegalArgumentException(
          "a body of %d bytes announced as %d".formatted(body.length, bodyLength));
    }
    if (headers.has("Content-Length") || headers.has("Transfer-Encoding")) {
      throw new IllegalArgumentException("the client writes the framing fields by itself");
    }
  }

  public static ClientRequest get(URI uri) {
    return of("GET", uri, new Headers(), new byte[0]);
  }

  public static ClientRequest of(String method, URI uri, Headers headers, byte[] body) {
    String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String target = uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    return new ClientRequest(method, Origin.of(uri), target, headers, body.length, body);
  }

  /** A body that follows piece by piece; -1 if its length is not known. */
  public static ClientRequest streamed(String method, URI uri, Headers headers, long bodyLength) {
    var whole = of(method, uri, headers, new byte[0]);
    return new ClientRequest(
        method, whole.origin(), whole.target(), headers, bodyLength, whole.body());
  }

  /** The same request as a part of a trace; as it is where nothing is traced. */
  public ClientRequest within(Span call) {
    TraceContext context = call.context();
    return context == null
        ? this
        : new ClientRequest(
            method,
            origin,
            target,
            headers.copy().set("traceparent", TraceParent.of(context).toString()),
            bodyLength,
            body);
  }

  /** The body is written to the call piece by piece. */
  boolean streamed() {
    return bodyLength != body.length;
  }

  /**
   * Whether the head says how long the body is. An empty one too, where the method gives it a
   * meaning: a server may ask for the length of a PUT before it takes it for empty.
   */
  boolean announcesLength() {
    return bodyLength > 0 || (!streamed() && (method.equals("POST") || method.equals("PUT")));
  }

  /** May be sent a second time if nothing was heard of the first. */
  boolean replayable() {
    return IDEMPOTENT.contains(method) && !streamed();
  }
}
