package dev.ron.http.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;

/** Where a server listens. */
public sealed interface Bind {
  /** True if only this machine can connect. */
  boolean local();

  /**
   * A TCP address.
   *
   * @param port 0 lets the system choose; {@link HttpServer#address()} tells what it chose
   */
  record Tcp(String host, int port) implements Bind {
    public Tcp {
      if (host.isBlank() || port < 0 || port > 65535) {
        throw new IllegalArgumentException("bind = " + host + ":" + port);
      }
    }

    @Override
    public boolean local() {
      InetAddress address = new InetSocketAddress(host, port).getAddress();
      return address != null && address.isLoopbackAddress();
    }
  }

  /**
   * A Unix domain socket, in a folder that no other user can write to.
   *
   * @param allowedUids users whose processes may connect; the kernel vouches for them
   */
  record Unix(Path socket, Set<Integer> allowedUids) implements Bind {
    /** The system's limit for a socket's path, with its closing zero. */
    private static final int PATH_BYTES_MAX = 107;

    public Unix {
      allowedUids = Set.copyOf(allowedUids);
      if (!socket.isAbsolute() || socket.toString().length() > PATH_BYTES_MAX) {
        throw new IllegalArgumentException(
            "bind = " + socket + ", must be absolute and at most " + PATH_BYTES_MAX + " bytes");
      }
      if (allowedUids.isEmpty()) {
        throw new IllegalArgumentException("bind = " + socket + ": nobody is allowed to connect");
      }
    }

    @Override
    public boolean local() {
      return true;
    }
  }
}
