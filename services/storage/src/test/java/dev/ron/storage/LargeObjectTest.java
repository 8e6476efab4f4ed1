package dev.ron.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.client.StorageClient;
import dev.ron.testkit.ChildJvm;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gigabyte in and out, with 128 MiB of heap on either side. */
final class LargeObjectTest {
  private static final long GIB = 1L << 30;

  @TempDir private Path folder;

  @Test
  @Tag("long")
  void aGigabyteRoundTripsInOneHundredTwentyEightMebibytesOfHeap() throws Exception {
    Path file = folder.resolve("gigabyte");
    Path back = folder.resolve("back");
    write(file, GIB);
    try (ChildJvm server = jvm("128m", KilledMain.class, folder.resolve("data").toString())) {
      String url = "http://127.0.0.1:" + server.line();
      try (ChildJvm client =
          jvm("128m", TransferMain.class, url, file.toString(), back.toString())) {
        String address = client.line();
        assertThat(address).isEqualTo(StorageClient.addressOf(file).toString());
        assertThat(client.line()).isEqualTo("read " + GIB);
        assertThat(Files.mismatch(file, back)).isEqualTo(-1);
        assertB3sum(file, address);
      }
      server.kill9();
    }
  }

  private static void assertB3sum(Path file, String address) throws Exception {
    Process process;
    try {
      process = new ProcessBuilder("b3sum", "--no-names", file.toString()).start();
    } catch (java.io.IOException absent) {
      Assumptions.abort("the rest held; NOT COMPARED with b3sum, which is not installed");
      return;
    }
    String sum = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(address).isEqualTo("b3:" + sum);
  }

  private static ChildJvm jvm(String heap, Class<?> main, String... args) throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-Xmx" + heap, "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(args));
    return ChildJvm.start(command);
  }

  private static void write(Path file, long bytes) throws Exception {
    var random = new SplittableRandom(1);
    byte[] step = new byte[1 << 20];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long at = 0; at < bytes; at += step.length) {
        random.nextBytes(step);
        out.write(step);
      }
    }
  }
}
