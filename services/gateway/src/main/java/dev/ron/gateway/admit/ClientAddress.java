package dev.ron.gateway.admit;

import dev.ron.gateway.forward.TrustedPeers;
import dev.ron.http.Headers;
import dev.ron.http.field.ForwardedHeader;
import dev.ron.http.field.ForwardedNode;
import dev.ron.http.field.ParseResult;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What tells one client from another before it has shown anything: its address.
 *
 * <p>An address of IPv6 is its /64, which one client has to itself. Behind a trusted proxy the
 * client is the last one that the proxy names, which is the peer it saw itself; whatever stands
 * before that came from outside. A proxy that names none is the client.
 *
 * <p>Threading: immutable.
 */
public record ClientAddress(TrustedPeers trusted) {
  private static final int NETWORK_BYTES = 8;
  private static final String LOCAL = "local";

  public String of(SocketAddress peer, Headers headers) {
    Optional<InetAddress> named = trusted.has(peer) ? named(headers) : Optional.empty();
    return named.map(ClientAddress::network).orElseGet(() -> network(peer));
  }

  private static Optional<InetAddress> named(Headers headers) {
    List<String> older = headers.all("X-Forwarded-For");
    if (!older.isEmpty()) {
      String last = older.getLast();
      return address(last.substring(last.lastIndexOf(',') + 1).strip());
    }
    return ForwardedHeader.parse(headers.all("Forwarded"))
            instanceof ParseResult.Ok<ForwardedHeader>(var said)
        ? said.hops().getLast().client().map(ForwardedNode::name).flatMap(ClientAddress::address)
        : Optional.empty();
  }

  private static Optional<InetAddress> address(String text) {
    try {
      return Optional.of(InetAddress.ofLiteral(text));
    } catch (IllegalArgumentException withAPortOrNoAddress) {
      return ForwardedNode.parse(text) instanceof ParseResult.Ok<ForwardedNode>(var node)
              && !node.port().isEmpty()
          ? address(node.name())
          : Optional.empty();
    }
  }

  /** One that is not of TCP is on this machine. */
  public static String network(SocketAddress peer) {
    return peer instanceof InetSocketAddress tcp && tcp.getAddress() != null
        ? network(tcp.getAddress())
        : LOCAL;
  }

  private static String network(InetAddress address) {
    byte[] bytes = address.getAddress();
    return HexFormat.of()
        .formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }
}
