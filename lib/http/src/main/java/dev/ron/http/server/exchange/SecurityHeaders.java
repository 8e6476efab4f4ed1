package dev.ron.http.server.exchange;

import dev.ron.http.Headers;
import java.nio.charset.StandardCharsets;

/**
 * What every answer says to browsers, unless the handler says it otherwise.
 *
 * <p>Threading: immutable.
 */
public final class SecurityHeaders {
  private final Headers headers;
  private final byte[] lines;

  private SecurityHeaders(Headers headers, boolean tls) {
    this.headers = headers;
    if (tls) {
      headers.add("Strict-Transport-Security", "max-age=31536000");
    }
    lines = lines(headers);
  }

  public static SecurityHeaders own(boolean tls) {
    return new SecurityHeaders(
        Headers.of(
            "X-Content-Type-Options", "nosniff",
            "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
            "Referrer-Policy", "no-referrer"),
        tls);
  }

  /**
   * For other servers' pages: a policy they did not ask for would stop their scripts and styles.
   */
  public static SecurityHeaders relayed(boolean tls) {
    return new SecurityHeaders(Headers.of("Referrer-Policy", "no-referrer"), tls);
  }

  /** All of them as they go over an HTTP/1.1 wire. */
  public byte[] lines() {
    return lines;
  }

  /** Those the handler has not set itself; the same object if it has set none. */
  public Headers besides(Headers own) {
    boolean clash = false;
    for (int i = 0; i < own.size() && !clash; i++) {
      clash = headers.has(own.nameAt(i));
    }
    if (!clash) {
      return headers;
    }
    var rest = new Headers(4);
    headers.forEach(
        (name, value) -> {
          if (!own.has(name)) {
            rest.addParsed(name, value);
          }
        });
    return rest;
  }

  public boolean isWhole(Headers besides) {
    return besides == headers;
  }

  public static byte[] lines(Headers headers) {
    var text = new StringBuilder();
    headers.forEach((name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }
}
