package dev.ron.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Ports for servers that must know each other's before they start, which port 0 does not allow.
 *
 * <p>The system gives the ports above these to connections that go out, and one of those may have
 * taken a port of its choice before the server does.
 *
 * <p>Threading: thread-safe.
 */
public final class FreePorts {
  private static final int FIRST = 12_000;
  private static final int LAST = 32_000;
  private static final int ATTEMPTS = 1_000;

  private static final SplittableRandom RANDOM = new SplittableRandom();
  private static final BitSet GIVEN = new BitSet();

  private FreePorts() {}

  /** A port of loopback that is free, and that nobody else in this process is given. */
  public static int one() throws IOException {
    return row(1);
  }

  /** As {@link #one}, several times. */
  public static List<Integer> several(int count) throws IOException {
    int[] ports = new int[count];
    for (int i = 0; i < count; i++) {
      ports[i] = one();
    }
    return IntStream.of(ports).boxed().toList();
  }

  /** The first of some in a row. */
  public static synchronized int row(int count) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int first = RANDOM.nextInt(FIRST, LAST - count);
      if (IntStream.range(first, first + count).allMatch(FreePorts::isFree)) {
        GIVEN.set(first, first + count);
        return first;
      }
    }
    throw new IOException("no %d free ports in a row".formatted(count));
  }

  private static boolean isFree(int port) {
    if (GIVEN.get(port)) {
      return false;
    }
    try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
