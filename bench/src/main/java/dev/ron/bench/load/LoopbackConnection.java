package dev.ron.bench.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/**
 * A loopback connection with blocking reads, for the small protocols that peers speak.
 *
 * <p>Threading: owned by one worker.
 */
public final class LoopbackConnection implements Closeable {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Socket socket = new Socket();
  private final InputStream in;
  private final OutputStream out;

  public LoopbackConnection(int port) throws IOException {
    socket.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) LIMIT.toMillis());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) LIMIT.toMillis());
    in = new BufferedInputStream(socket.getInputStream(), 16 << 10);
    out = socket.getOutputStream();
  }

  /** In one write, so that no half of a request waits for an acknowledgement. */
  public void write(byte[]... parts) throws IOException {
    var all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.write(part);
    }
    all.writeTo(out);
  }

  public void write(String text) throws IOException {
    out.write(text.getBytes(ISO_8859_1));
  }

  /** Up to a line feed; a carriage return before it is dropped. */
  public String line() throws IOException {
    var line = new ByteArrayOutputStream(64);
    for (int one = in.read(); one != '\n'; one = in.read()) {
      if (one < 0) {
        throw new EOFException("the server closed the connection");
      }
      line.write(one);
    }
    String text = line.toString(ISO_8859_1);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }

  public byte[] bytes(int count) throws IOException {
    byte[] read = in.readNBytes(count);
    if (read.length < count) {
      throw new EOFException("the server closed the connection");
    }
    return read;
  }

  /**
   * One request over HTTP/1.1, and the body of its answer, which must be a 2xx.
   *
   * @param fields further ones, each with its line end
   */
  public String http(String what, String type, String fields, byte[] body) throws IOException {
    String head =
        "%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\n%sContent-Length: %d\r\n\r\n"
            .formatted(what, type, fields, body.length);
    return new String(exchange(what, head, body), ISO_8859_1);
  }

  /**
   * One request over HTTP/1.1, and the body of its answer, which must be a 2xx with a length.
   *
   * @param what the request in the words of an error
   * @param head with the empty line at its end
   */
  public byte[] exchange(String what, String head, byte[] body) throws IOException {
    write(head.getBytes(ISO_8859_1), body);
    String status = line();
    int length = 0;
    for (String field = line(); !field.isEmpty(); field = line()) {
      if (field.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Integer.parseInt(field.substring(15).strip());
      }
    }
    byte[] answer = bytes(length);
    if (!status.startsWith("HTTP/1.1 2")) {
      throw new IOException(
          what + " was answered " + status + ": " + new String(answer, ISO_8859_1));
    }
    return answer;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
