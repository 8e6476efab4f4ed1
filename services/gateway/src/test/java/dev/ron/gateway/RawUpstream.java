package dev.ron.gateway;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server that is only a socket: it keeps every byte it is sent, and says what it is told to.
 *
 * <p>Threading: one virtual thread for each connection; what they heard may be read anywhere.
 */
final class RawUpstream implements AutoCloseable {
  private final ServerSocket listener;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<ByteArrayOutputStream> heard = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();

  /** What one connection does. */
  interface Talk {
    void with(InputStream in, Socket socket) throws IOException;
  }

  RawUpstream(Talk talk) throws IOException {
    listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(() -> accept(talk));
  }

  /** Answers each request, read to its end, with the same words. */
  static RawUpstream saying(String answer) throws IOException {
    return new RawUpstream(
        (in, socket) -> {
          while (request(in)) {
            say(socket, answer);
          }
        });
  }

  /** Reads a head and the body it announces; false at the end of the connection. */
  private static boolean request(InputStream in) throws IOException {
    String head = line(in);
    if (head.isEmpty()) {
      return false;
    }
    int length = 0;
    boolean chunked = false;
    for (String line = line(in); !line.isBlank(); line = line(in)) {
      String lower = line.toLowerCase(Locale.ROOT).strip();
      length =
          lower.startsWith("content-length: ") ? Integer.parseInt(lower.substring(16)) : length;
      chunked |= lower.equals("transfer-encoding: chunked");
    }
    in.skipNBytes(length);
    while (chunked) {
      String digits = line(in).strip();
      if (digits.isEmpty()) {
        return false; // the body was cut
      }
      int size = Integer.parseInt(digits, 16);
      in.skipNBytes(size);
      chunked = size > 0;
      while (!line(in).isBlank()) {
        // the end of a chunk is an empty line; trailers come before the last
      }
    }
    return true;
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int b = in.read(); b >= 0; b = in.read()) {
      line.append((char) b);
      if (b == '\n') {
        break;
      }
    }
    return line.toString();
  }

  private void accept(Talk talk) {
    try {
      while (true) {
        Socket socket = listener.accept();
        connections.incrementAndGet();
        sockets.add(socket);
        var bytes = new ByteArrayOutputStream();
        heard.add(bytes);
        Thread.startVirtualThread(() -> talk(talk, socket, bytes));
      }
    } catch (IOException closed) {
      // the test is over
    }
  }

  private static void talk(Talk talk, Socket socket, ByteArrayOutputStream bytes) {
    try (socket;
        InputStream in = new Listening(socket.getInputStream(), bytes)) {
      talk.with(in, socket);
    } catch (IOException gone) {
      // the gateway closed it
    }
  }

  /** Reads up to the end of a head; false at the end of the connection. */
  static boolean head(InputStream in) throws IOException {
    int last = 0;
    for (int b = in.read(); b >= 0; b = in.read()) {
      last = last << 8 | b;
      if (last == 0x0d0a0d0a) {
        return true;
      }
    }
    return false;
  }

  static void say(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  int port() {
    return listener.getLocalPort();
  }

  int connections() {
    return connections.get();
  }

  /** Everything that was sent on all connections. */
  String heard() {
    var all = new StringBuilder();
    for (ByteArrayOutputStream bytes : heard) {
      all.append(bytes.toString(StandardCharsets.ISO_8859_1));
    }
    return all.toString();
  }

  void forget() {
    heard.forEach(ByteArrayOutputStream::reset);
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private static final class Listening extends InputStream {
    private final InputStream from;
    private final ByteArrayOutputStream copy;

    Listening(InputStream from, ByteArrayOutputStream copy) {
      this.from = from;
      this.copy = copy;
    }

    @Override
    public int read() throws IOException {
      int b = from.read();
      if (b >= 0) {
        copy.write(b);
      }
      return b;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int count = from.read(into, offset, length);
      if (count > 0) {
        copy.write(into, offset, count);
      }
      return count;
    }
  }
}
