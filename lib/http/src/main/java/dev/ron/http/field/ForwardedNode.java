package dev.ron.http.field;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One end of a hop in {@link ForwardedHeader}: an address, {@code unknown}, or a name made up to
 * hide one.
 *
 * <p>Threading: immutable.
 *
 * @param name an IPv4 address, an IPv6 address in brackets, {@code unknown}, or {@code _} and more
 * @param port digits, {@code _} and more, or empty
 */
public record ForwardedNode(String name, String port) {
  // Each alternative starts differently and repeats a bounded number of times, so matching is
  // linear.
  private static final Pattern FORM =
      Pattern.compile(
          "([0-9]{1,3}(?:\\.[0-9]{1,3}){3}|\\[[0-9A-Fa-f:.]{2,45}]|unknown|_[A-Za-z0-9._-]{1,64})"
              + "(?::([0-9]{1,5}|_[A-Za-z0-9._-]{1,64}))?");

  public ForwardedNode {
    if (!FORM.matcher(port.isEmpty() ? name : name + ":" + port).matches()) {
      throw new IllegalArgumentException("not a node of Forwarded");
    }
  }

  public static ParseResult<ForwardedNode> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return ParseResult.bad("not a node of Forwarded");
    }
    String name = form.group(1);
    boolean octets = name.charAt(0) == '_' || name.charAt(0) == '[' || name.equals("unknown");
    if (!octets
        && !Pattern.compile("\\.").splitAsStream(name).allMatch(o -> Integer.parseInt(o) < 256)) {
      return ParseResult.bad("not an IPv4 address");
    }
    return ParseResult.ok(new ForwardedNode(name, form.group(2) == null ? "" : form.group(2)));
  }

  @Override
  public String toString() {
    return port.isEmpty() ? name : name + ':' + port;
  }
}
