package dev.ron.node;

import java.io.IOException;
import java.net.ServerSocket;

/** Ports for a node whose services must know each other's, which port 0 does not allow. */
final class FreePorts {
  private static final int SPAN = AdminConfig.PORT_OFFSET + 1;

  private FreePorts() {}

  /** A base from which every port of a node was free just now. */
  static int base() throws IOException {
    for (int attempt = 0; attempt < 100; attempt++) {
      int base;
      try (var socket = new ServerSocket(0)) {
        base = Math.min(socket.getLocalPort(), 65_000);
      }
      if (allFree(base)) {
        return base;
      }
    }
    throw new IOException("no " + SPAN + " free ports in a row");
  }

  private static boolean allFree(int base) {
    for (int port = base; port < base + SPAN; port++) {
      try (var socket = new ServerSocket(port)) {
        socket.setReuseAddress(true);
      } catch (IOException taken) {
        return false;
      }
    }
    return true;
  }
}
