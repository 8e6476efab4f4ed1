package dev.ron.http.server.connection;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;

/**
 * What counts as one peer: an IPv4 address, the first half of an IPv6 address, or this machine.
 *
 * <p>A client with one IPv6 address usually has the whole /64 around it, so the second half does
 * not tell clients apart.
 *
 * <p>Threading: immutable.
 *
 * @param bits the address; 0 for this machine, which comes by loopback or by a Unix socket
 */
public record PeerKey(long bits) {
  static final PeerKey LOCAL = new PeerKey(0);

  private static final int IPV6_PREFIX_BYTES = 8;

  public static PeerKey of(SocketAddress peer) {
    if (!(peer instanceof InetSocketAddress tcp)) {
      return LOCAL;
    }
    InetAddress address = tcp.getAddress();
    if (address == null || address.isLoopbackAddress()) {
      return LOCAL;
    }
    byte[] bytes = address.getAddress();
    long bits = 0;
    for (byte each : Arrays.copyOf(bytes, Math.min(bytes.length, IPV6_PREFIX_BYTES))) {
      bits = bits << 8 | (each & 0xff);
    }
    return new PeerKey(bits);
  }

  public boolean local() {
    return bits == 0;
  }
}
