package dev.ron.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Ports for servers that must know each other's before they start, which port 0 does not allow.
 *
 * <p>The system gives the ports above these to connections that go out, and one of those may have
 * taken a port before its server does. Each process begins elsewhere and goes upwards, so that two
 * that test at a time do not meet.
 *
 * <p>Threading: thread-safe.
 */
public final class FreePorts {
  private static final int FIRST = 12_000;
  private static final int COUNT = 20_000;

  /** Far from that of the next process, and no divisor of the count. */
  private static final long STRIDE = 3_571;

  private static final AtomicInteger NEXT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * STRIDE % COUNT));

  private FreePorts() {}

  /** A port of loopback that is free, and that is given out once in this process. */
  public static int one() throws IOException {
    return row(1);
  }

  /** As {@link #one}, several times. */
  public static List<Integer> several(int count) throws IOException {
    var ports = new ArrayList<Integer>();
    for (int i = 0; i < count; i++) {
      ports.add(one());
    }
    return ports;
  }

  /** The first of some in a row. */
  public static int row(int count) throws IOException {
    for (int attempt = 0; attempt < COUNT; attempt += count) {
      int first = FIRST + NEXT.getAndAdd(count) % COUNT;
      if (IntStream.range(first, first + count).allMatch(FreePorts::isFree)) {
        return first;
      }
    }
    throw new IOException("no %d free ports in a row".formatted(count));
  }

  private static boolean isFree(int port) {
    try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
