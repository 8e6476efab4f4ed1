package dev.ron.http.field;

import dev.ron.http.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which fields pass a proxy, each way: the one place that knows which fields belong to a
 * connection, which only a proxy may set, and which a trailer may not have.
 *
 * <p>What belongs to one connection stays there: the fields of RFC 9110, 7.6.1, what {@code
 * Connection} names besides, and the framing, which each side writes for itself.
 *
 * <p>Only a proxy may tell its upstream about the request: which client sent it, by which name and
 * scheme, for which address and method. Such fields are dropped from what came in, whatever they
 * say, and a proxy adds its own. A name that is not letters, digits and hyphens is dropped as well:
 * to a server that makes variables of fields, {@code X_Forwarded_For} and {@code X-Forwarded-For}
 * are one, and the second of the two would win. Dropped and not refused, because such names are
 * legal and most are harmless.
 *
 * <p>Threading: stateless.
 */
public final class ProxyFields {
  private static final NameSet HOP_BY_HOP =
      NameSet.of(
          "Connection",
          "Content-Length",
          "HTTP2-Settings",
          "Keep-Alive",
          "Proxy-Authenticate",
          "Proxy-Authentication-Info",
          "Proxy-Authorization",
          "Proxy-Connection",
          "TE",
          "Transfer-Encoding",
          "Upgrade");

  /** Set by proxies, and trusted by the servers behind them; {@code Proxy} by old CGI clients. */
  private static final NameSet FORWARDING =
      NameSet.of(
          "CF-Connecting-IP",
          "CF-Connecting-IPv6",
          "Client-Cert",
          "Client-Cert-Chain",
          "Client-IP",
          "Fastly-Client-IP",
          "Forwarded",
          "Front-End-Https",
          "Proxy",
          "True-Client-IP",
          "X-Client-IP",
          "X-Cluster-Client-IP",
          "X-Forwarded",
          "X-Host",
          "X-Method-Override",
          "X-Original-Host",
          "X-Original-URL",
          "X-Originating-IP",
          "X-Real-IP",
          "X-Remote-Addr",
          "X-Remote-IP",
          "X-Rewrite-URL",
          "X-URL-Scheme");

  private static final List<String> FORWARDING_BEGINS = List.of("X-Forwarded-", "X-HTTP-Method");

  /** For every recipient of the message, so never an option of one connection. */
  private static final NameSet END_TO_END =
      NameSet.of(
          "Accept",
          "Accept-Encoding",
          "Age",
          "Authorization",
          "Cache-Control",
          "Content-Encoding",
          "Content-Language",
          "Content-Length",
          "Content-Location",
          "Content-Range",
          "Content-Security-Policy",
          "Content-Type",
          "Cookie",
          "Date",
          "Deadline",
          "ETag",
          "Expect",
          "Expires",
          "Host",
          "Idempotency-Key",
          "If-Match",
          "If-Modified-Since",
          "If-None-Match",
          "If-Range",
          "If-Unmodified-Since",
          "Last-Modified",
          "Location",
          "Origin",
          "Range",
          "Request-Timeout",
          "Set-Cookie",
          "Strict-Transport-Security",
          "Vary",
          "Via",
          "WWW-Authenticate",
          "X-Corr-ID",
          "traceparent",
          "tracestate");

  /**
   * Would change how the message is framed, which host it is for, what it may do, or how it is
   * read.
   */
  private static final NameSet NEVER_IN_TRAILERS =
      NameSet.of(
          "Authorization",
          "Connection",
          "Content-Encoding",
          "Content-Length",
          "Content-Range",
          "Content-Type",
          "Expect",
          "Host",
          "TE",
          "Trailer",
          "Transfer-Encoding",
          "Upgrade");

  private ProxyFields() {}

  /** A client's fields on their way up; the proxy's own are added by the caller. */
  public static Headers request(Headers from, NameSet besides) {
    NameSet options = options(from);
    var to = new Headers(from.size() + 8);
    for (int i = 0; i < from.size(); i++) {
      String name = from.nameAt(i);
      if (!HOP_BY_HOP.has(name)
          && !options.has(name)
          && !besides.has(name)
          && !isForwarding(name)) {
        to.addParsed(name, from.valueAt(i));
      }
    }
    return to;
  }

  /** A server's fields on their way back, or a client's where the caller picks among them. */
  public static Headers endToEnd(Headers from, NameSet besides) {
    NameSet options = options(from);
    var to = new Headers(from.size() + 2);
    for (int i = 0; i < from.size(); i++) {
      String name = from.nameAt(i);
      if (!HOP_BY_HOP.has(name) && !options.has(name) && !besides.has(name)) {
        to.addParsed(name, from.valueAt(i));
      }
    }
    return to;
  }

  /**
   * Trailers that may follow a body, either way. Few servers tell them apart from fields of the
   * head, so they may not have what the head may not have, nor what was decided when the head was
   * read.
   */
  public static Headers trailers(Headers from) {
    if (from.size() == 0) {
      return from;
    }
    var to = new Headers(from.size());
    from.forEach(
        (name, value) -> {
          if (!HOP_BY_HOP.has(name)
              && !NEVER_IN_TRAILERS.has(name)
              && !END_TO_END.has(name)
              && !isForwarding(name)) {
            to.addParsed(name, value);
          }
        });
    return to;
  }

  /** How many proxies say that they passed the message on. */
  public static int hops(Headers headers) {
    int hops = 0;
    for (String line : headers.all("Via")) {
      hops += 1 + (int) line.chars().filter(c -> c == ',').count();
    }
    return hops;
  }

  /** A field of one connection, whatever {@code Connection} names besides. */
  public static boolean isHopByHop(String name) {
    return HOP_BY_HOP.has(name);
  }

  /** A field that only a proxy may set, or a name that could pass for one. */
  private static boolean isForwarding(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')) {
        return true;
      }
    }
    return isClaim(name);
  }

  private static boolean isClaim(String name) {
    for (String begin : FORWARDING_BEGINS) {
      if (name.regionMatches(true, 0, begin, 0, begin.length())) {
        return true;
      }
    }
    return FORWARDING.has(name);
  }

  /**
   * A field meant for every recipient that {@code Connection} names all the same, which RFC 9110,
   * 7.6.1 forbids. Obeyed, it would take away a capability that was checked, or the coding of a
   * body; ignored, this program and the next would differ on whether the field is there. No sender
   * does it for a reason, so the message is refused, whichever way it goes.
   */
  public static Optional<String> misnamedOption(Headers headers) {
    if (!headers.has("Connection")) {
      return Optional.empty();
    }
    return headers.all("Connection").stream()
        .flatMap(line -> Stream.of(line.split(",", -1)))
        .map(String::strip)
        .filter(name -> END_TO_END.has(name) || isClaim(name))
        .findFirst();
  }

  /** A trailer that a recipient could take for a part of the head that changes the message. */
  public static Optional<String> misplacedTrailer(Headers trailers) {
    for (int i = 0; i < trailers.size(); i++) {
      if (NEVER_IN_TRAILERS.has(trailers.nameAt(i))) {
        return Optional.of(trailers.nameAt(i));
      }
    }
    return Optional.empty();
  }

  /** The fields that {@code Connection} names. */
  private static NameSet options(Headers headers) {
    String first = headers.first("Connection");
    boolean plain =
        first == null || first.equalsIgnoreCase("keep-alive") || first.equalsIgnoreCase("close");
    if (plain && headers.count("Connection") <= 1) {
      return NameSet.NONE; // nearly always
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
