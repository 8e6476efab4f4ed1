package dev.ron.gateway.forward;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

/**
 * The peers whose {@code Forwarded} and {@code X-Forwarded-*} are believed: addresses and networks.
 *
 * <p>Threading: immutable.
 */
public final class TrustedPeers {
  private final List<Network> networks;

  /** The first {@code bits} of an address. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Network(byte[] address, int bits) {
    static Network parse(String text) {
      int slash = text.indexOf('/');
      String host = slash < 0 ? text : text.substring(0, slash);
      try {
        byte[] address = InetAddress.ofLiteral(host).getAddress();
        int all = address.length * 8;
        int bits = slash < 0 ? all : Integer.parseInt(text.substring(slash + 1));
        if (bits < 0 || bits > all) {
          throw new IllegalArgumentException("a prefix of " + bits + " bits");
        }
        return new Network(address, bits);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "trusted_proxies: \"%s\" is not an address or a network such as 10.0.0.0/8"
                .formatted(text),
            e);
      }
    }

    boolean has(byte[] other) {
      if (other.length != address.length) {
        return false;
      }
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >> (bit % 8);
        if ((address[bit / 8] & mask) != (other[bit / 8] & mask)) {
          return false;
        }
      }
      return true;
    }
  }

  public TrustedPeers(List<String> texts) {
    this.networks = texts.stream().map(Network::parse).toList();
  }

  public boolean has(SocketAddress peer) {
    if (networks.isEmpty() || !(peer instanceof InetSocketAddress inet)) {
      return false;
    }
    byte[] address = inet.getAddress().getAddress();
    for (Network network : networks) {
      if (network.has(address)) {
        return true;
      }
    }
    return false;
  }
}
