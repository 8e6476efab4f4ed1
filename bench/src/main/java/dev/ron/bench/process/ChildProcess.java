package dev.ron.bench.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A program run for a while: its output goes to a file, and it ends with all its descendants on
 * {@code close} or when this JVM exits, whichever is first. Only {@code kill -9} of this JVM leaves
 * it behind.
 *
 * <p>Threading: thread-safe; the process does its own locking and the rest is final.
 */
public final class ChildProcess implements AutoCloseable {
  /** A server that has not ended by then is not going to. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private static final Duration LOOK_EVERY = Duration.ofMillis(10);
  private static final int CONNECT_MILLIS_MAX = 500;

  /** A tool that says more than this is broken; the end of its output is what explains. */
  private static final int OUTPUT_BYTES_MAX = 4 << 20;

  private final String name;
  private final Process process;
  private final ProcessTree tree;
  private final Path log;
  private final ExitGuard guard;

  private ChildProcess(String name, Process process, String mark, Path log) {
    this.name = name;
    this.process = process;
    this.tree = new ProcessTree(process.toHandle(), mark);
    this.log = log;
    this.guard = ExitGuard.of(() -> tree.end(Duration.ZERO));
  }

  /** Starts a program that needs no port; standard output and error go to {@code log}. */
  public static ChildProcess start(String name, List<String> command, Path log) throws IOException {
    String mark = UUID.randomUUID().toString();
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put(ProcessTree.MARK_VARIABLE, mark);
    // Numbers and messages are parsed, so they have to come in one language.
    builder.environment().put("LC_ALL", "C");
    return new ChildProcess(name, builder.start(), mark, log);
  }

  /** Starts a server and waits until it accepts connections on the loopback {@code port}. */
  public static ChildProcess listen(
      String name, int port, List<String> command, Path log, Duration limit)
      throws IOException, InterruptedException {
    if (accepts(port)) {
      // Or we would measure somebody else's server and call it by this name.
      throw new IOException(name + ": something else already listens on port " + port);
    }
    ChildProcess child = start(name, command, log);
    try {
      child.awaitListening(port, limit);
      return child;
    } catch (IOException | InterruptedException | RuntimeException e) {
      child.close();
      throw e;
    }
  }

  /** A port on loopback that was free a moment ago. */
  public static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Waits until it ends by itself and answers its exit code; ends it when the limit is over. */
  public int awaitExit(Duration limit) throws IOException, InterruptedException {
    if (process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
      return process.exitValue();
    }
    close();
    throw new IOException(name + " did not end within " + limit.toSeconds() + " s\n" + output());
  }

  public long pid() {
    return process.pid();
  }

  /** Of the process and its descendants so far; only to be asked while it runs. */
  public CpuTime cpuTime() {
    return CpuTime.of(process.pid());
  }

  /** What it printed so far, at most the last 4 MiB. */
  public String output() throws IOException {
    try (var file = Files.newByteChannel(log)) {
      file.position(Math.max(0, file.size() - OUTPUT_BYTES_MAX));
      byte[] bytes = Channels.newInputStream(file).readNBytes(OUTPUT_BYTES_MAX);
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() {
    tree.end(GRACE);
    guard.release();
  }

  private void awaitListening(int port, Duration limit) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!accepts(port)) {
      if (process.waitFor(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(name + " ended with " + process.exitValue() + "\n" + output());
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            name + " does not listen on " + port + " after " + limit + "\n" + output());
      }
    }
  }

  private static boolean accepts(int port) {
    try (var socket = new Socket()) {
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      socket.connect(address, CONNECT_MILLIS_MAX);
      return true;
    } catch (IOException refused) {
      return false;
    }
  }
}
