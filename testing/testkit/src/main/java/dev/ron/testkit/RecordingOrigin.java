package dev.ron.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * An upstream that parses the bytes of its connections strictly and records the requests.
 *
 * <p>It has no leniency: anything that is not a request with exactly one framing, one after the
 * other, is a breach. A request for {@code /p7} is answered with that number in {@code X-Answers},
 * so that the sender can tell which request the answer belongs to.
 *
 * <p>Threading: one virtual thread for each connection; what was heard may be read anywhere.
 */
public final class RecordingOrigin implements AutoCloseable {
  private static final Pattern REQUEST_LINE = Pattern.compile("([A-Z]+) (/[!-~]*|\\*) HTTP/1\\.1");
  private static final Pattern FIELD = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?(.*)");
  private static final Pattern PROBE = Pattern.compile(".*/p([0-9]{1,8})");
  private static final Pattern CHUNK_SIZE = Pattern.compile("[0-9a-f]{1,8}");
  private static final int HEAD_BYTES_MAX = 64 * 1024;

  private final ServerSocket listener;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<Heard> requests = new CopyOnWriteArrayList<>();
  private final List<String> breaches = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();

  /**
   * One whole request.
   *
   * @param fields names in lower case and values, each as {@code name: value}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Heard(
      int connection,
      String method,
      String target,
      List<String> fields,
      byte[] body,
      List<String> trailers) {
    /** Every value of a field, whose name is given in lower case. */
    public List<String> values(String name) {
      return valuesIn(fields, name);
    }

    /** The number of the probe, from its target; -1 for a request that is none. */
    public int probe() {
      var probe = PROBE.matcher(target);
      return probe.matches() ? Integer.parseInt(probe.group(1)) : -1;
    }
  }

  public RecordingOrigin() throws IOException {
    listener = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("recording-origin/accept").start(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  public String url() {
    return "http://127.0.0.1:" + port();
  }

  public List<Heard> requests() {
    return List.copyOf(requests);
  }

  /** What was sent that has not exactly one reading. */
  public List<String> breaches() {
    return List.copyOf(breaches);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        sockets.add(socket);
        int number = connections.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(socket, number));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket, int number) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (var first = line(in, true); first.isPresent(); first = line(in, true)) {
        Heard heard = request(first.get(), in, number);
        requests.add(heard);
        answer(socket, heard);
      }
    } catch (Breach breach) {
      breaches.add("connection " + number + ": " + breach.getMessage());
    } catch (IOException cut) {
      // a request that was given up in the middle was never whole
    }
  }

  private static void answer(Socket socket, Heard heard) throws IOException {
    String body = heard.method().equals("HEAD") ? "" : "ok";
    String head =
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nCache-Control: no-store\r\nX-Answers: %d\r\n\r\n%s"
            .formatted(heard.probe(), body);
    socket.getOutputStream().write(head.getBytes(ISO_8859_1));
  }

  private static Heard request(String first, InputStream in, int connection) throws IOException {
    var matcher = REQUEST_LINE.matcher(first);
    require(matcher.matches(), "not a request line: " + first);
    List<String> fields = fields(in);
    List<String> lengths = valuesIn(fields, "content-length");
    List<String> codings = valuesIn(fields, "transfer-encoding");
    require(valuesIn(fields, "host").size() == 1, "not one Host: " + fields);
    require(lengths.size() + codings.size() <= 1, "more than one framing: " + fields);
    require(codings.isEmpty() || codings.equals(List.of("chunked")), "a coding: " + codings);
    var body = new ByteArrayOutputStream();
    List<String> trailers = List.of();
    if (!codings.isEmpty()) {
      trailers = chunks(in, body);
    } else if (!lengths.isEmpty()) {
      require(lengths.getFirst().matches("[0-9]{1,9}"), "a length: " + lengths);
      body.writeBytes(exactly(in, Integer.parseInt(lengths.getFirst())));
    }
    return new Heard(
        connection, matcher.group(1), matcher.group(2), fields, body.toByteArray(), trailers);
  }

  private static List<String> chunks(InputStream in, ByteArrayOutputStream body)
      throws IOException {
    while (true) {
      String size = line(in);
      require(CHUNK_SIZE.matcher(size).matches(), "not a chunk's size: " + size);
      int length = Integer.parseInt(size, 16);
      if (length == 0) {
        return fields(in);
      }
      body.writeBytes(exactly(in, length));
      require(line(in).isEmpty(), "a chunk without its end");
    }
  }

  private static List<String> fields(InputStream in) throws IOException {
    var fields = new ArrayList<String>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      var field = FIELD.matcher(line);
      require(field.matches(), "not a field: " + line);
      fields.add(field.group(1).toLowerCase(Locale.ROOT) + ": " + field.group(2));
    }
    return fields;
  }

  private static List<String> valuesIn(List<String> fields, String name) {
    return fields.stream()
        .filter(field -> field.startsWith(name + ": "))
        .map(field -> field.substring(name.length() + 2))
        .toList();
  }

  private static byte[] exactly(InputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("cut");
    }
    return bytes;
  }

  private static String line(InputStream in) throws IOException {
    return line(in, false).orElseThrow();
  }

  /** A line that ends in CR LF and has no other control; nothing at an end that may be there. */
  private static Optional<String> line(InputStream in, boolean mayEnd) throws IOException {
    var line = new StringBuilder();
    while (true) {
      int b = in.read();
      if (b < 0 && mayEnd && line.isEmpty()) {
        return Optional.empty();
      }
      if (b < 0) {
        throw new EOFException("cut");
      }
      if (b == '\r') {
        require(in.read() == '\n', "a bare CR after: " + line);
        return Optional.of(line.toString());
      }
      require((b >= ' ' && b != 0x7f) || b == '\t', "control " + b + " after: " + line);
      require(line.length() < HEAD_BYTES_MAX, "an endless line");
      line.append((char) b);
    }
  }

  private static void require(boolean holds, String otherwise) throws Breach {
    if (!holds) {
      throw new Breach(otherwise);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private static final class Breach extends IOException {
    private static final long serialVersionUID = 1;

    Breach(String what) {
      super(what.length() > 300 ? what.substring(0, 300) : what);
    }
  }
}
