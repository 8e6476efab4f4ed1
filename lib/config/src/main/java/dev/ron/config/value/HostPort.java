package dev.ron.config.value;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host and a port, {@code 127.0.0.1:8082} or {@code [::1]:8082}; port 0 takes a free one.
 *
 * <p>The host of an IPv6 address is held without its brackets. Reading one never asks a name
 * server: a start must not hang on DNS before it has said what it is doing.
 *
 * <p>Threading: immutable.
 */
public record HostPort(String host, int port) {
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([^\\[\\]]*)\\]|([^:\\[\\]]*)):([0-9]{1,5})");
  private static final Pattern LABEL =
      Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?");
  private static final Pattern DIGITS_AND_DOTS = Pattern.compile("[0-9.]+");
  private static final int PORT_MAX = 65_535;
  private static final int HOST_CHARACTERS_MAX = 253;
  private static final String HINT =
      "must be host:port, as in 127.0.0.1:8082 or [::1]:8082; port 0 takes a free one";

  public HostPort {
    if (port < 0 || port > PORT_MAX) {
      throw new IllegalArgumentException("port " + port + " must be from 0 to " + PORT_MAX);
    }
    checkHost(host);
  }

  /** Reads {@code host:port}; IPv6 hosts stand in brackets. */
  public static HostPort parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(HINT + hint(text));
    }
    String bracketed = matcher.group(1);
    String host = bracketed == null ? matcher.group(2) : bracketed;
    if (host.isEmpty()) {
      throw new IllegalArgumentException(HINT + "; write 0.0.0.0 to listen on every interface");
    }
    if (bracketed != null && !bracketed.contains(":")) {
      throw new IllegalArgumentException(HINT + "; brackets are for IPv6");
    }
    return new HostPort(host, Integer.parseInt(matcher.group(3)));
  }

  /** {@link #parse} reads it back. */
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  private static String hint(String text) {
    return text.chars().filter(c -> c == ':').count() > 1 && !text.startsWith("[")
        ? "; put an IPv6 host in brackets"
        : "";
  }

  private static void checkHost(String host) {
    if (host.contains(":")) {
      checkLiteral(() -> Inet6Address.ofLiteral(host), host, "IPv6");
    } else if (DIGITS_AND_DOTS.matcher(host).matches()) {
      // The JDK also reads 127.1 and 2130706433 as addresses; a person who reads a config file does
      // not.
      if (host.split("\\.", -1).length != 4) {
        throw new IllegalArgumentException(
            "host " + Literal.shown(host) + " is not an IPv4 address");
      }
      checkLiteral(() -> Inet4Address.ofLiteral(host), host, "IPv4");
    } else if (host.length() > HOST_CHARACTERS_MAX || !isName(host)) {
      throw new IllegalArgumentException("host " + Literal.shown(host) + " is not a host name");
    }
  }

  private static boolean isName(String host) {
    for (String label : host.split("\\.", -1)) {
      if (!LABEL.matcher(label).matches()) {
        return false;
      }
    }
    return true;
  }

  private static void checkLiteral(Runnable parse, String host, String family) {
    try {
      parse.run();
    } catch (IllegalArgumentException _) {
      throw new IllegalArgumentException(
          "host " + Literal.shown(host) + " is not an " + family + " address");
    }
  }
}
