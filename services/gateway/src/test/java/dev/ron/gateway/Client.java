package dev.ron.gateway;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks for the same again and again on one kept connection, and keeps the time of each answer.
 *
 * <p>Threading: one virtual thread; what it counted may be read anywhere.
 */
final class Client {
  final List<Integer> micros = new CopyOnWriteArrayList<>();
  final AtomicInteger answered = new AtomicInteger();
  final List<String> wrong = new CopyOnWriteArrayList<>();
  private final AtomicBoolean stop = new AtomicBoolean();
  private final Thread thread;

  private Client(int port, byte[] request, long thinkMillis, boolean timed) {
    thread = Thread.startVirtualThread(() -> run(port, request, thinkMillis, timed));
  }

  /** As fast as it is answered. */
  static Client loud(int port, String path, String... headers) {
    return new Client(port, request(path, headers), 0, false);
  }

  /** With a pause after each answer. */
  static Client quiet(int port, String path, long thinkMillis, String... headers) {
    return new Client(port, request(path, headers), thinkMillis, true);
  }

  private static byte[] request(String path, String... headers) {
    String text = "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + Rig.lines(headers) + "\r\n";
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private void run(int port, byte[] request, long thinkMillis, boolean timed) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(30_000);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      while (!stop.get()) {
        long begun = System.nanoTime();
        socket.getOutputStream().write(request);
        int status = answer(in);
        if (timed) {
          micros.add((int) ((System.nanoTime() - begun) / 1000));
        }
        answered.incrementAndGet();
        if (status != 200) {
          wrong.add("status " + status);
        }
        if (thinkMillis > 0) {
          Rig.pause(thinkMillis);
        }
      }
    } catch (IOException | InterruptedException failed) {
      if (!stop.get()) {
        wrong.add(failed.toString());
      }
    }
  }

  /** Reads one answer with a Content-Length. */
  static int answer(InputStream in) throws IOException {
    int status = 0;
    int length = 0;
    String line = line(in);
    while (!line.isEmpty()) {
      if (status == 0) {
        status = Integer.parseInt(line.substring(9, 12));
      } else if (line.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
        length = Integer.parseInt(line.substring(16));
      }
      line = line(in);
    }
    in.skipNBytes(length);
    return status;
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the gateway closed the connection");
      }
      line.append((char) b);
    }
    return line.toString().strip();
  }

  /** Lets the request under way end. */
  void stop() {
    stop.set(true);
  }

  void join() throws InterruptedException {
    thread.join();
  }

  int percentile(int percent) {
    List<Integer> sorted = micros.stream().sorted().toList();
    return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
  }
}
