package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import dev.ron.http.Transport;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.RawFrames;
import dev.ron.http.testing.TestServer;
import dev.ron.http.tls.DevCertificate;
import dev.ron.http.tls.Tls;
import dev.ron.kernel.time.VirtualTime;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A reader that goes on reading gets the whole answer, however slow it is: the write timeout counts
 * what the reader takes and not what the buffers of the system take.
 *
 * <p>The sockets are real and the time is not: a second passes when every reader has read another
 * 64 KiB, so that a busy machine makes no reader slower than it is said to be.
 */
final class SlowReaderTest {
  private static final int ANSWER_BYTES = 6 << 20;
  private static final int BYTES_PER_SECOND = 64 * 1024;
  private static final int SLOW_SECONDS = 25;
  private static final Duration WRITE = Duration.ofSeconds(5);

  /** Shorter than the answer takes: a connection on which one goes out is not idle. */
  private static final Duration IDLE = Duration.ofSeconds(15);

  private static final Duration HOUR = Duration.ofHours(1);
  private static final long PATIENCE_MILLIS = 60_000;
  private static final String HEAD_END = "\r\n\r\n";

  @TempDir static Path folder;
  private final VirtualTime time = new VirtualTime();
  private final Seconds seconds = new Seconds();
  private static DevCertificate pair;
  private static Path file;

  @BeforeAll
  static void files() throws Exception {
    pair = DevCertificate.make(folder, Instant.now());
    file = Files.write(folder.resolve("file"), new byte[ANSWER_BYTES]);
  }

  /** NIO is not among them: it sees what the system takes and no more (ADR 0115). */
  private static List<Transport> transports() {
    var there = new ArrayList<Transport>();
    for (Transport each : List.of(Transport.EPOLL, Transport.IO_URING)) {
      try {
        there.add(each.resolved());
      } catch (IllegalStateException absent) {
        System.out.println("NOT RUN: transport " + each + ": " + absent.getCause());
      }
    }
    return there;
  }

  private TestServer serving(Transport transport, boolean secure) throws Exception {
    Inline heap =
        x -> x.answer(Answer.bytes(200, "application/octet-stream", new byte[ANSWER_BYTES]));
    Blocking region = _ -> Answer.file(200, new Headers(), Body.Region.open(file, 0, ANSWER_BYTES));
    Blocking stream =
        _ ->
            Answer.stream(
                200,
                new Headers(),
                ANSWER_BYTES,
                sink -> {
                  var step = new byte[64 * 1024];
                  for (int at = 0; at < ANSWER_BYTES; at += step.length) {
                    sink.write(step);
                  }
                  return new Headers();
                });
    HttpServerConfig config =
        HttpServerConfig.on("127.0.0.1", 0)
            .with(Limits.OPEN)
            .with(transport)
            .with(new Timeouts(HOUR, WRITE, IDLE, HOUR));
    return new TestServer(
        time,
        secure ? config.with(new Tls(pair.certificate(), pair.key())) : config,
        Routes.of()
            .get("/heap", "heap", heap)
            .get("/file", "file", region)
            .get("/stream", "stream", stream));
  }

  private static Socket plain(TestServer server) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout((int) PATIENCE_MILLIS);
    return socket;
  }

  private static Socket secure(TestServer server) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(pair.certificate())) {
      trusted.setCertificateEntry(
          "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context.getSocketFactory().createSocket(plain(server), "localhost", server.port(), true);
  }

  /** The length of the body that such a reader gets. */
  private long body(Socket socket, String path, String connection) throws IOException {
    try (socket) {
      String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n";
      request += "Connection: " + connection + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = new SlowStream(socket.getInputStream());
      int matched = 0; // of what ends the head
      for (int next = 0; matched < HEAD_END.length() && next >= 0; ) {
        next = in.read();
        matched = next == HEAD_END.charAt(matched) ? matched + 1 : 0;
      }
      return in.readNBytes(ANSWER_BYTES).length;
    } catch (SocketException cut) {
      return -1;
    }
  }

  /** The same over HTTP/2, whose reader opens that window at once and then what it has read. */
  private long frames(Socket socket, String path, int window) throws IOException {
    try (socket;
        var frames = new RawFrames(socket, new SlowStream(socket.getInputStream()), window)) {
      frames.frame(
          RawFrames.HEADERS, RawFrames.END_HEADERS | RawFrames.END_STREAM, 1, RawFrames.get(path));
      frames.flush();
      return frames.bodyLength(1);
    } catch (SocketException | EOFException cut) {
      return -1;
    }
  }

  private Callable<Long> reader(Callable<Long> read) {
    seconds.register();
    return () -> {
      try {
        return read.call();
      } finally {
        seconds.arriveAndDeregister();
      }
    };
  }

  private Map<String, Future<Long>> readers(
      ExecutorService threads, String transport, TestServer open, TestServer sealed) {
    var got = new LinkedHashMap<String, Future<Long>>();
    for (String path : List.of("/heap", "/file", "/stream")) {
      String name = transport + path;
      got.put(name, threads.submit(reader(() -> body(plain(open), path, "close"))));
      got.put(name + " kept", threads.submit(reader(() -> body(plain(open), path, "keep-alive"))));
      got.put(name + " TLS", threads.submit(reader(() -> body(secure(sealed), path, "close"))));
      got.put(name + " HTTP/2", threads.submit(reader(() -> frames(plain(open), path, 1 << 30))));
      got.put(
          name + " HTTP/2 window",
          threads.submit(reader(() -> frames(plain(open), path, 1 << 17))));
    }
    return got;
  }

  /** Passes a second when all readers have read what they read in one. */
  private final class Seconds extends Phaser {
    @Override
    protected boolean onAdvance(int phase, int readers) {
      time.advance(Duration.ofSeconds(1));
      LockSupport.parkNanos(50_000_000); // the loops look at their connections meanwhile
      return readers == 0;
    }
  }

  private final class SlowStream extends InputStream {
    private final InputStream in;
    private int second;
    private int left = BYTES_PER_SECOND;

    SlowStream(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (left == 0 && ++second <= SLOW_SECONDS) {
        seconds.arriveAndAwaitAdvance();
        left = BYTES_PER_SECOND;
      }
      boolean slow = second <= SLOW_SECONDS;
      int count = in.read(into, offset, slow ? Math.min(length, left) : length);
      left -= slow ? Math.max(0, count) : 0;
      return count;
    }
  }

  @Test
  void aReaderThatGoesOnReadingGetsTheWholeAnswer() throws Exception {
    var servers = new ArrayList<TestServer>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var got = new LinkedHashMap<String, Future<Long>>();
      for (Transport transport : transports()) {
        servers.add(serving(transport, false));
        servers.add(serving(transport, true));
        got.putAll(
            readers(threads, "" + transport, servers.get(servers.size() - 2), servers.getLast()));
      }
      var lengths = new LinkedHashMap<String, Long>();
      for (var each : got.entrySet()) {
        lengths.put(each.getKey(), each.getValue().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
      }
      assertThat(lengths).allSatisfy((_, length) -> assertThat(length).isEqualTo(ANSWER_BYTES));
    } finally {
      servers.forEach(TestServer::close);
    }
  }
}
