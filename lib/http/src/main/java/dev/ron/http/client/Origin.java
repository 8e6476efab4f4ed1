package dev.ron.http.client;

import java.net.URI;
import java.util.Locale;

/**
 * A server to send requests to: protocol, host and port.
 *
 * <p>Threading: immutable.
 */
public record Origin(Scheme scheme, String host, int port) {
  /** How to speak with it. */
  public enum Scheme {
    HTTP(80),
    /** HTTP/2 if the server offers it, else HTTP/1.1. */
    HTTPS(443),
    /** HTTP/2 without TLS and without asking first. */
    H2C(80);

    private final int defaultPort;

    Scheme(int defaultPort) {
      this.defaultPort = defaultPort;
    }
  }

  public Origin {
    host = host.toLowerCase(Locale.ROOT);
    if (host.isBlank() || port < 1 || port > 65535) {
      throw new IllegalArgumentException("origin " + host + ":" + port);
    }
  }

  /** The origin of an {@code http}, {@code https} or {@code h2c} address. */
  public static Origin of(URI uri) {
    String scheme = String.valueOf(uri.getScheme()).toUpperCase(Locale.ROOT);
    if (uri.getHost() == null || uri.getUserInfo() != null) {
      throw new IllegalArgumentException("an address needs a host and no user: " + uri);
    }
    Scheme known = Scheme.valueOf(scheme);
    return new Origin(known, uri.getHost(), uri.getPort() < 0 ? known.defaultPort : uri.getPort());
  }

  /** What the Host field says: the port only where it is not the usual one. */
  public String authority() {
    return port == scheme.defaultPort ? host : host + ":" + port;
  }
}
