package dev.ron.gateway.forward;

import dev.ron.http.Headers;
import io.netty.channel.Channel;
import io.netty.util.Attribute;
import io.netty.util.AttributeKey;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

/**
 * Tells an upstream who asked: {@code Forwarded} (RFC 7239) and the older {@code X-Forwarded-*}.
 *
 * <p>Replaced, never trusted: whatever a client said about itself is dropped, unless the peer is a
 * proxy the operator listed or a machine of the cluster; then this hop is added behind what that
 * one said.
 *
 * <p>Threading: immutable.
 */
public record ForwardedFields(TrustedPeers trusted, boolean tls) {
  private static final AttributeKey<String> ADDRESS = AttributeKey.valueOf("gateway.address");

  /** What passes a proxy's own field unread would make this hop part of a quoted string. */
  private static final int CHARS_MAX = 4096;

  /**
   * @param fromMachine whether the peer has shown a certificate of the cluster
   */
  public void add(
      Headers to, Headers from, Channel connection, String authority, boolean fromMachine) {
    SocketAddress peer = connection.remoteAddress();
    String address = address(connection, peer);
    boolean believed = fromMachine || trusted.has(peer);
    String proto = tls ? "https" : "http";
    String hop = hop(peer, address, authority, proto);
    to.addParsed("Forwarded", believed ? behind(from, "Forwarded", hop) : hop);
    to.addParsed("X-Forwarded-For", believed ? behind(from, "X-Forwarded-For", address) : address);
    to.addParsed("X-Forwarded-Proto", believed ? or(from, "X-Forwarded-Proto", proto) : proto);
    String host = believed ? or(from, "X-Forwarded-Host", authority) : authority;
    if (!host.isEmpty()) {
      to.addParsed("X-Forwarded-Host", host);
    }
  }

  private static String hop(SocketAddress peer, String address, String authority, String proto) {
    boolean v6 =
        peer instanceof InetSocketAddress inet && inet.getAddress() instanceof Inet6Address;
    String node = v6 ? "\"[" + address + "]\"" : address;
    return authority.isEmpty()
        ? "for=" + node + ";proto=" + proto
        : "for=" + node + ";host=\"" + authority + "\";proto=" + proto;
  }

  /** Spelled once for a connection, not once for a request. */
  private static String address(Channel connection, SocketAddress peer) {
    Attribute<String> kept = connection.attr(ADDRESS);
    String known = kept.get();
    if (known == null) {
      known =
          peer instanceof InetSocketAddress inet ? inet.getAddress().getHostAddress() : "unknown";
      kept.set(known);
    }
    return known;
  }

  private static String behind(Headers from, String name, String own) {
    List<String> said = from.all(name);
    String before = String.join(", ", said);
    boolean open = before.chars().filter(c -> c == '"').count() % 2 != 0;
    return said.isEmpty() || before.length() > CHARS_MAX || open ? own : before + ", " + own;
  }

  private static String or(Headers from, String name, String own) {
    String said = from.first(name);
    return said == null ? own : said;
  }
}
