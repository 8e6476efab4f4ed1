package dev.ron.bench.load;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/**
 * One client on one kept connection that asks for one path, {@code /work} if none is named, and
 * waits for the answer.
 *
 * <p>Threading: owned by one thread.
 */
public final class ClosedLoopClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;
  private static final String LENGTH = "content-length: ";

  private final Socket socket;
  private final InputStream in;
  private final byte[] request;

  public ClosedLoopClient(URI server, String tenant) throws IOException {
    Load.requireLoopback(server);
    socket = new Socket(InetAddress.ofLiteral(server.getHost()), server.getPort());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
    String path = server.getPath().length() > 1 ? server.getPath() : "/work";
    request =
        "GET %s HTTP/1.1\r\nHost: localhost\r\nX-Tenant: %s\r\n\r\n"
            .formatted(path, tenant)
            .getBytes(StandardCharsets.US_ASCII);
  }

  /** How long the answer took; anything but 200 is a failure of the benchmark. */
  public Duration ask() throws IOException {
    long begun = System.nanoTime();
    socket.getOutputStream().write(request);
    String status = line();
    int length = 0;
    for (String field = line(); !field.isEmpty(); field = line()) {
      if (field.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        length = Integer.parseInt(field.substring(LENGTH.length()));
      }
    }
    in.skipNBytes(length);
    if (!status.startsWith("HTTP/1.1 200")) {
      throw new IOException("answered " + status);
    }
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private String line() throws IOException {
    var line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the server closed the connection");
      }
      line.append((char) b);
    }
    return line.toString().strip();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
