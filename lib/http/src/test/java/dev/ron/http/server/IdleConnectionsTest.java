package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten thousand connections that each asked once and wait: the whole server process in 200 MiB. */
@Tag("long")
final class IdleConnectionsTest {
  private static final int CONNECTIONS = 10_000;
  private static final long RESIDENT_MAX = 200L * 1024 * 1024;
  @TempDir Path folder;

  @Test
  void tenThousandIdleConnectionsFitInTwoHundredMebibytes() throws Exception {
    assumeTrue(
        openFilesMax() > CONNECTIONS + 500,
        "NOT RUN: this process may open only " + openFilesMax() + " files");
    Process server = start();
    var open = new ArrayList<SocketChannel>();
    try {
      var said =
          new BufferedReader(
              new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
      String address = said.readLine();
      int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
      for (int i = 0; i < CONNECTIONS; i++) {
        open.add(ask(port));
      }
      long resident = resident(server.pid());
      System.out.println("resident with " + CONNECTIONS + " idle connections: " + resident);
      assertThat(resident).isLessThan(RESIDENT_MAX);
      for (int i = 0; i < CONNECTIONS; i += 997) {
        askOn(open.get(i)); // they are alive, not merely open
      }
    } finally {
      for (SocketChannel channel : open) {
        channel.close();
      }
      server.destroy();
      server.waitFor();
    }
  }

  private Process start() throws Exception {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:MaxDirectMemorySize=64m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                BenchServer.class.getName(),
                "0",
                folder.toString(),
                "auto",
                "1"))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static SocketChannel ask(int port) throws Exception {
    var channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    askOn(channel);
    return channel;
  }

  private static void askOn(SocketChannel channel) throws Exception {
    byte[] request =
        "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    channel.write(ByteBuffer.wrap(request));
    var answer = ByteBuffer.allocate(2048);
    while (!new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII)
        .endsWith("hello world\n")) {
      assertThat(channel.read(answer)).isPositive();
    }
  }

  private static long resident(long pid) throws Exception {
    Optional<String> line =
        Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
            .filter(l -> l.startsWith("VmRSS:"))
            .findFirst();
    return Long.parseLong(line.orElseThrow().replaceAll("\\D", "")) * 1024;
  }

  private static long openFilesMax() throws Exception {
    String limits = Files.readString(Path.of("/proc/self/limits"));
    String line = limits.lines().filter(l -> l.startsWith("Max open files")).findFirst().orElse("");
    return Long.parseLong(line.replaceFirst("Max open files\\s+(\\d+).*", "$1"));
  }
}
