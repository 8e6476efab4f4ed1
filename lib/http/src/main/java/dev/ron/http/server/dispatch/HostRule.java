package dev.ron.http.server.dispatch;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.Bind;
import dev.ron.http.wire.Authority;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that are addressed to another name than this door's.
 *
 * <p>Any web site can give its own name the address 127.0.0.1 and have an operator's browser send
 * requests to a door that only this machine reaches; the browser then sends the page's name as
 * Host. So a door on loopback answers to the names of loopback and to the configured ones.
 *
 * <p>Threading: immutable.
 */
public final class HostRule {
  private static final Set<String> OWN = Set.of("localhost", "[::1]");

  private final Set<String> hosts;
  private final boolean any;

  private HostRule(Set<String> hosts, boolean any) {
    this.hosts = hosts;
    this.any = any;
  }

  public static HostRule of(Bind bind, List<String> hosts) {
    boolean any =
        bind instanceof Bind.Unix || hosts.contains("*") || (!bind.local() && hosts.isEmpty());
    return new HostRule(Set.copyOf(hosts), any);
  }

  @Nullable Refusal check(String authority) {
    // Only HTTP/1.0 can leave it out, and no browser speaks that.
    if (any || authority.isEmpty()) {
      return null;
    }
    String host = Authority.host(authority).toLowerCase(Locale.ROOT);
    return OWN.contains(host) || isLoopback(host) || hosts.contains(host) || inDomain(host)
        ? null
        : Refusal.of(new HttpFault.Misdirected(host));
  }

  /** A host below a domain that is listed as {@code *.domain}. */
  private boolean inDomain(String host) {
    int dot = host.indexOf('.');
    while (dot >= 0) {
      if (hosts.contains("*" + host.substring(dot))) {
        return true;
      }
      dot = host.indexOf('.', dot + 1);
    }
    return false;
  }

  /** Four numbers from 127.0.0.0/8: a name such as 127.evil.example is none. */
  private static boolean isLoopback(String host) {
    String[] parts = host.split("\\.", -1);
    if (parts.length != 4 || !parts[0].equals("127")) {
      return false;
    }
    for (String part : parts) {
      if (part.isEmpty() || part.length() > 3 || !part.chars().allMatch(HostRule::isDigit)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }
}
