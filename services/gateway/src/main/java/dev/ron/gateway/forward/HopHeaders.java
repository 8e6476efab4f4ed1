package dev.ron.gateway.forward;

import dev.ron.http.Headers;
import dev.ron.http.field.NameSet;
import dev.ron.http.field.ProxyFields;
import dev.ron.http.wire.HeadParser;
import dev.ron.http.wire.RequestHead;

/**
 * Which header fields pass the gateway, either way: what passes any proxy, without what the gateway
 * writes itself.
 *
 * <p>An upgrade passes only to {@code websocket}: passing {@code h2c} on would open a tunnel past
 * every check here.
 *
 * <p>Threading: stateless.
 */
public final class HopHeaders {
  private static final String WEBSOCKET = "websocket";

  /** Answered or written anew by the gateway. */
  private static final NameSet OURS = NameSet.of("Host", "Expect", "X-Corr-ID", "Request-Timeout");

  /** The same for a body whose coding is off. */
  private static final NameSet OURS_AND_CODING =
      NameSet.of("Host", "Expect", "X-Corr-ID", "Request-Timeout", "Content-Encoding");

  /** Written by the server for every answer. */
  private static final NameSet SERVERS = NameSet.of("X-Corr-ID", "traceparent");

  private HopHeaders() {}

  /** The client's fields that go on; the gateway's own are added by the caller. */
  public static Headers request(Headers from, boolean decoded) {
    Headers to = ProxyFields.request(from, decoded ? OURS_AND_CODING : OURS);
    if (mentions(from, "TE", "trailers")) {
      to.addParsed("TE", "trailers");
    }
    return to;
  }

  /** The upstream's fields that go back. */
  public static Headers answer(Headers from) {
    return ProxyFields.endToEnd(from, SERVERS);
  }

  /**
   * A request for a WebSocket, whole enough to be passed on as one. One with a body is passed on
   * without the upgrade: where its body ends and the other protocol begins, two servers may differ.
   */
  public static boolean asksForWebSocket(RequestHead head) {
    Headers headers = head.headers();
    return head.method().equals("GET")
        && !head.hasBody()
        && headers.count("Upgrade") == 1
        && WEBSOCKET.equalsIgnoreCase(headers.first("Upgrade"))
        && mentions(headers, "Connection", "upgrade");
  }

  /** What is added so that an upstream upgrades, or so that a client learns that it did. */
  public static Headers withUpgrade(Headers to) {
    return to.addParsed("Connection", "Upgrade").addParsed("Upgrade", WEBSOCKET);
  }

  private static boolean mentions(Headers headers, String field, String token) {
    if (!headers.has(field)) {
      return false;
    }
    for (String line : headers.all(field)) {
      if (HeadParser.hasToken(line, token)) {
        return true;
      }
    }
    return false;
  }
}
