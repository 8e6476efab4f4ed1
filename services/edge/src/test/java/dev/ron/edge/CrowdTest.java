package dev.ron.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.ChildJvm;
import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many clients ask for one thing that is not there yet. */
final class CrowdTest {
  @TempDir private Path folder;

  @Test
  @SeedRow("E03")
  void aHundredClientsAreOneQuestion() throws Exception {
    crowd(100, 2 << 20);
  }

  /** Ten gigabytes in all, through a process with a heap of 256 MiB. */
  @Test
  @Tag("long")
  void aThousandClientsAndTenMebibytesAreOneQuestion() throws Exception {
    crowd(1000, 10 << 20);
  }

  private void crowd(int clients, int bytes) throws Exception {
    var everybodyAsked = new CountDownLatch(1);
    var body = new byte[bytes];
    new java.util.SplittableRandom(bytes).nextBytes(body);
    FakeOrigin.Script slow =
        (_, _, out) -> {
          out.write(
              "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: %d\r\n\r\n"
                  .formatted(bytes)
                  .getBytes(ISO_8859_1));
          out.write(body, 0, bytes / 2);
          out.flush();
          int at = bytes / 2;
          while (!everybodyAsked.await(200, TimeUnit.MILLISECONDS)) {
            out.write(body, at++, 1); // slow, but not silent
            out.flush();
          }
          out.write(body, at, bytes - at);
        };
    try (var origin = new FakeOrigin(slow);
        ChildJvm edge = ChildJvm.start(EdgeMain.class, folder.toString(), origin.url())) {
      int port = Integer.parseInt(edge.line());
      long before = residentBytes(edge.pid());
      Socket first = ask(port);
      readHead(first.getInputStream());
      first.close(); // the one who began the fill leaves in the middle of it
      var whole = new AtomicInteger();
      List<Thread> crowd = new ArrayList<>();
      var asked = new CountDownLatch(clients);
      for (int i = 0; i < clients; i++) {
        crowd.add(Thread.ofVirtual().start(() -> take(port, body, asked, whole)));
      }
      asked.await();
      everybodyAsked.countDown();
      for (Thread client : crowd) {
        client.join();
      }
      long grown = residentBytes(edge.pid()) - before;
      System.out.printf(
          "%d clients, %d bytes each: %d questions, resident memory grew by %d MiB%n",
          clients, bytes, origin.requests(), grown >> 20);
      assertThat(whole).hasValue(clients);
      assertThat(origin.requests()).isEqualTo(1);
      assertThat(grown).as("grown").isLessThan(700L << 20);
    }
  }

  private static Socket ask(int port) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket
        .getOutputStream()
        .write(
            "GET /big HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                .getBytes(ISO_8859_1));
    return socket;
  }

  private static String readHead(InputStream in) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("closed after " + head);
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private static void take(int port, byte[] body, CountDownLatch asked, AtomicInteger whole) {
    try (Socket socket = ask(port)) {
      String head = readHead(socket.getInputStream());
      asked.countDown();
      byte[] step = new byte[16 << 10];
      int at = 0;
      InputStream in = socket.getInputStream();
      for (int read = in.read(step); read >= 0; read = in.read(step)) {
        if (!java.util.Arrays.equals(step, 0, read, body, at, at + read)) {
          return;
        }
        at += read;
      }
      if (at == body.length && head.startsWith("HTTP/1.1 200")) {
        whole.incrementAndGet();
      }
    } catch (IOException failed) {
      asked.countDown();
    }
  }

  private static long residentBytes(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
        .findFirst()
        .orElseThrow();
  }
}
