package dev.ron.node;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * Stands between a client and a server, lets every request through, and cuts some connections when
 * the answer comes: the client knows nothing of what was done.
 *
 * <p>Threading: thread-safe.
 */
final class CutAnswers implements Closeable {
  private final ServerSocket listening;
  private final int to;
  private final RandomGenerator random;
  private final AtomicInteger cuts = new AtomicInteger();

  CutAnswers(int to, long seed) throws IOException {
    this.to = to;
    this.random = new SplittableRandom(seed);
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** How many answers were cut. */
  int cuts() {
    return cuts.get();
  }

  private void accept() {
    while (true) {
      try {
        Socket client = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), to);
        // Or the second half of each request waits for the first to be acknowledged.
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        Thread.ofVirtual().start(() -> pass(client, server, false));
        Thread.ofVirtual().start(() -> pass(server, client, true));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void pass(Socket from, Socket into, boolean answers) {
    byte[] piece = new byte[64 << 10];
    try (from;
        into) {
      InputStream in = from.getInputStream();
      for (int count = in.read(piece); count > 0; count = in.read(piece)) {
        if (answers && chance()) {
          cuts.incrementAndGet();
          return;
        }
        into.getOutputStream().write(piece, 0, count);
      }
    } catch (IOException closed) {
      // so is the other side then
    }
  }

  private synchronized boolean chance() {
    return random.nextInt(3) == 0;
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
