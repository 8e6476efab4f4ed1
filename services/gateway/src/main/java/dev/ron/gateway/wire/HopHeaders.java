package dev.ron.gateway.wire;

import dev.ron.http.Headers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which header fields pass the gateway, either way.
 *
 * <p>What belongs to one connection stays there: the fields of RFC 9110, 7.6.1, whatever {@code
 * Connection} names besides, and the framing, which each side writes for itself. An upgrade passes
 * only to {@code websocket}: passing {@code h2c} on would open a tunnel past every check here.
 *
 * <p>Threading: stateless.
 */
public final class HopHeaders {
  private static final String WEBSOCKET = "websocket";

  /** Of one connection, in requests and answers. */
  private static final NameSet HOP =
      NameSet.of(
          "Connection",
          "Keep-Alive",
          "Proxy-Connection",
          "TE",
          "Transfer-Encoding",
          "Upgrade",
          "Content-Length",
          "HTTP2-Settings");

  /** Answered or written anew by the gateway. */
  private static final NameSet OURS =
      NameSet.of(
          "Host",
          "Expect",
          "Proxy-Authorization",
          "Forwarded",
          "X-Forwarded-For",
          "X-Forwarded-Host",
          "X-Forwarded-Proto",
          "X-Forwarded-Port",
          "X-Real-IP",
          "X-Corr-ID",
          "Request-Timeout");

  /** Written by the server for every answer. */
  private static final NameSet SERVERS =
      NameSet.of("X-Corr-ID", "traceparent", "Proxy-Authenticate");

  /** What a trailer cannot say any more: framing, routing, rights, and how to read the body. */
  private static final NameSet NOT_TRAILING =
      NameSet.of(
          "Host",
          "Authorization",
          "Cookie",
          "Set-Cookie",
          "Trailer",
          "Content-Encoding",
          "Content-Type",
          "Content-Range",
          "Cache-Control",
          "Expect",
          "Range",
          "Forwarded",
          "X-Forwarded-For",
          "X-Corr-ID",
          "Deadline",
          "Request-Timeout");

  private HopHeaders() {}

  /** The client's fields that go on; the gateway's own are added by the caller. */
  public static Headers request(Headers from, boolean decoded) {
    NameSet named = named(from);
    var to = new Headers(from.size() + 8);
    for (int i = 0; i < from.size(); i++) {
      String name = from.nameAt(i);
      if (!HOP.has(name)
          && !OURS.has(name)
          && (named == null || !named.has(name))
          && !(decoded && name.equalsIgnoreCase("Content-Encoding"))) {
        to.addParsed(name, from.valueAt(i));
      }
    }
    if (from.has("TE") && mentions(from, "TE", "trailers")) {
      to.addParsed("TE", "trailers");
    }
    return to;
  }

  /** The upstream's fields that go back. */
  public static Headers answer(Headers from) {
    NameSet named = named(from);
    var to = new Headers(from.size() + 2);
    for (int i = 0; i < from.size(); i++) {
      String name = from.nameAt(i);
      if (!HOP.has(name) && !SERVERS.has(name) && (named == null || !named.has(name))) {
        to.addParsed(name, from.valueAt(i));
      }
    }
    return to;
  }

  /** The trailers that may follow a body, either way. */
  public static Headers trailers(Headers from) {
    if (from.size() == 0) {
      return from;
    }
    var to = new Headers(from.size());
    from.forEach(
        (name, value) -> {
          if (!HOP.has(name) && !NOT_TRAILING.has(name)) {
            to.addParsed(name, value);
          }
        });
    return to;
  }

  /** A request for a WebSocket, whole enough to be passed on as one. */
  public static boolean asksForWebSocket(String method, Headers headers) {
    return method.equals("GET")
        && headers.count("Upgrade") == 1
        && WEBSOCKET.equalsIgnoreCase(headers.first("Upgrade"))
        && mentions(headers, "Connection", "upgrade");
  }

  /** What is added so that an upstream upgrades, or so that a client learns that it did. */
  public static Headers withUpgrade(Headers to) {
    return to.addParsed("Connection", "Upgrade").addParsed("Upgrade", WEBSOCKET);
  }

  private static boolean mentions(Headers headers, String field, String token) {
    for (String line : headers.all(field)) {
      for (String one : line.split(",", -1)) {
        if (one.strip().equalsIgnoreCase(token)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The fields that {@code Connection} names; null for none, which is nearly always. */
  private static @Nullable NameSet named(Headers headers) {
    String first = headers.first("Connection");
    if (first == null || first.equalsIgnoreCase("keep-alive") || first.equalsIgnoreCase("close")) {
      if (first == null || headers.count("Connection") == 1) {
        return null;
      }
    }
    List<String> names = new ArrayList<>();
    for (String line : headers.all("Connection")) {
      for (String one : line.split(",", -1)) {
        names.add(one.strip());
      }
    }
    return new NameSet(names);
  }
}
