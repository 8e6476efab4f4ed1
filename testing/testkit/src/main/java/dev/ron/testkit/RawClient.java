package dev.ron.testkit;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A socket that sends exactly the given bytes and reads whole answers; every wait is bounded. */
public final class RawClient implements Closeable {
  private final Socket socket = new Socket();

  public RawClient(int port) throws IOException {
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 5000);
    socket.setSoTimeout(10_000);
    socket.setTcpNoDelay(true);
  }

  /** Lines of a message; the last has no line end of its own. */
  public static String http(String... lines) {
    return String.join("\r\n", lines);
  }

  public Socket socket() {
    return socket;
  }

  public RawClient send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  /** Sends what it can; a server that has closed already is no failure here. */
  public RawClient sendAnyway(String text) {
    try {
      send(text);
    } catch (IOException alreadyClosed) {
      // the answer tells
    }
    return this;
  }

  public void finishSending() throws IOException {
    socket.shutdownOutput();
  }

  /** One whole answer: head and a body framed by length or chunks. */
  public String answer() throws IOException {
    String head = head();
    String lower = head.toLowerCase(Locale.ROOT);
    int status = Integer.parseInt(head.substring(9, 12));
    if (status < 200 || status == 204 || status == 304) {
      return head;
    }
    if (lower.contains("transfer-encoding: chunked")) {
      return head + chunks();
    }
    int at = lower.indexOf("content-length: ");
    if (at < 0) {
      return head + rest();
    }
    int length = Integer.parseInt(lower.substring(at + 16, lower.indexOf('\r', at)));
    return head + latin(socket.getInputStream().readNBytes(length));
  }

  /** The head of an answer to HEAD, or of one whose body is read otherwise. */
  public String head() throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) oneByte());
    }
    return head.toString();
  }

  private String chunks() throws IOException {
    var body = new StringBuilder();
    while (true) {
      int size = Integer.parseInt(line(), 16);
      if (size == 0) {
        String trailer = line();
        while (!trailer.isEmpty()) {
          body.append("[").append(trailer).append("]");
          trailer = line();
        }
        return body.toString();
      }
      body.append(latin(socket.getInputStream().readNBytes(size)));
      line();
    }
  }

  public String line() throws IOException {
    var line = new StringBuilder();
    while (line.indexOf("\r\n") < 0) {
      line.append((char) oneByte());
    }
    return line.substring(0, line.length() - 2);
  }

  private int oneByte() throws IOException {
    int b = socket.getInputStream().read();
    if (b < 0) {
      throw new EOFException("the server closed the connection");
    }
    return b;
  }

  /** Everything until the server closes; a reset counts as closed. */
  public String rest() throws IOException {
    var bytes = new ByteArrayOutputStream();
    try {
      int b = socket.getInputStream().read();
      while (b >= 0) {
        bytes.write(b);
        b = socket.getInputStream().read();
      }
    } catch (SocketException reset) {
      bytes.write("<reset>".getBytes(StandardCharsets.US_ASCII));
    }
    return latin(bytes.toByteArray());
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
