package dev.ron.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An upstream that does exactly what a test tells it, also what no server should; one request a
 * connection.
 *
 * <p>Threading: thread-safe; each connection has a thread of its own.
 */
public final class FakeOrigin implements AutoCloseable {
  /** What to do about a request. */
  public interface Script {
    /**
     * @param number of the request, from 1
     * @param head as it came, in lines
     */
    void answer(int number, String head, OutputStream out) throws Exception;
  }

  /** The heads of all requests, in order. */
  public final List<String> heads = new CopyOnWriteArrayList<>();

  private final ServerSocket socket;
  private final Script script;

  public FakeOrigin(Script script) throws IOException {
    this.socket = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    this.script = script;
    Thread.ofVirtual().start(this::accept);
  }

  /** Always the same answer: fields separated by line ends, then the body. */
  static FakeOrigin answering(String fields, String body) throws IOException {
    return new FakeOrigin((_, _, out) -> out.write(bytes(200, fields, body)));
  }

  static byte[] bytes(int status, String fields, String body) {
    String extra = fields.isEmpty() ? "" : fields.replace("|", "\r\n") + "\r\n";
    return "HTTP/1.1 %d X\r\nContent-Length: %d\r\nConnection: close\r\n%s\r\n%s"
        .formatted(status, body.length(), extra, body)
        .getBytes(ISO_8859_1);
  }

  public String url() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  public int requests() {
    return heads.size();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket peer = socket.accept();
        Thread.ofVirtual().start(() -> serve(peer));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket peer) {
    try (peer) {
      String head = head(peer.getInputStream());
      if (head.isEmpty()) {
        return;
      }
      int number;
      synchronized (heads) {
        heads.add(head);
        number = heads.size();
      }
      OutputStream out = peer.getOutputStream();
      script.answer(number, head, out);
      out.flush();
    } catch (Exception gone) {
      // the edge has given this connection up, which is what many tests are about
    }
  }

  private static String head(InputStream in) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return "";
      }
      head.append((char) next);
    }
    return head.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
