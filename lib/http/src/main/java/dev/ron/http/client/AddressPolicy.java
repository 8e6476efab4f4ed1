package dev.ron.http.client;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * Which addresses may be dialled; asked about the very address that is then connected to, so that a
 * name cannot mean one address when it is checked and another when it is used.
 */
@FunctionalInterface
public interface AddressPolicy {
  /** Only addresses of the public Internet. */
  AddressPolicy PUBLIC = address -> !isPrivate(address);

  /** Public addresses and this machine; for upstreams that the operator configured. */
  AddressPolicy PUBLIC_OR_LOOPBACK = address -> address.isLoopbackAddress() || !isPrivate(address);

  /** Everything; for upstreams on a network the operator owns. */
  AddressPolicy ANY = _ -> true;

  boolean allows(InetAddress address);

  /** Loopback, link-local, private, shared, reserved, and IPv6 forms that carry one of those. */
  static boolean isPrivate(InetAddress address) {
    if (address.isLoopbackAddress()
        || address.isAnyLocalAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress()) {
      return true;
    }
    byte[] b = address.getAddress();
    return address instanceof Inet6Address ? isPrivateV6(b) : isPrivateV4(b);
  }

  private static boolean isPrivateV4(byte[] b) {
    int first = b[0] & 0xff;
    int second = b[1] & 0xff;
    return first == 0
        || first >= 240
        || (first == 100 && second >= 64 && second < 128) // shared by carriers
        || (first == 192 && second == 0 && b[2] == 0) // protocol assignments
        || (first == 198 && (second == 18 || second == 19)); // benchmarks
  }

  private static boolean isPrivateV6(byte[] b) {
    if ((b[0] & 0xfe) == 0xfc) {
      return true; // unique local
    }
    boolean nat64 =
        b[0] == 0 && (b[1] & 0xff) == 0x64 && (b[2] & 0xff) == 0xff && (b[3] & 0xff) == 0x9b;
    boolean sixToFour = b[0] == 0x20 && b[1] == 0x02;
    boolean compatible = allZero(b, 0, 12);
    try {
      if (nat64 || compatible) {
        return isPrivate(InetAddress.getByAddress(Arrays.copyOfRange(b, 12, 16)));
      }
      return sixToFour && isPrivate(InetAddress.getByAddress(Arrays.copyOfRange(b, 2, 6)));
    } catch (UnknownHostException wrongLength) {
      throw new IllegalStateException("four bytes are an address", wrongLength);
    }
  }

  private static boolean allZero(byte[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      if (b[i] != 0) {
        return false;
      }
    }
    return true;
  }
}
