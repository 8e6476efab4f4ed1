package dev.ron.gateway.admit;

import dev.ron.gateway.forward.TrustedPeers;
import dev.ron.http.Headers;
import dev.ron.http.field.ForwardedHeader;
import dev.ron.http.field.ForwardedNode;
import dev.ron.http.field.ParseResult;
import dev.ron.http.server.guard.RefusalLimit;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * What tells one client from another before it has shown anything: its address.
 *
 * <p>An address of IPv6 is its /64, which one client has to itself. Behind a trusted proxy, and
 * behind another machine's gateway, the client is the last one that the proxy names, which is the
 * peer it saw itself; whatever stands before that came from outside. A proxy that names none is the
 * client.
 *
 * <p>Threading: immutable.
 */
public record ClientAddress(TrustedPeers trusted) {
  /**
   * @param fromMachine whether the peer has shown a certificate of the cluster
   */
  public String of(SocketAddress peer, Headers headers, boolean fromMachine) {
    boolean believed = fromMachine || trusted.has(peer);
    Optional<InetAddress> named = believed ? named(headers) : Optional.empty();
    return named.map(RefusalLimit::network).orElseGet(() -> RefusalLimit.network(peer));
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
}
