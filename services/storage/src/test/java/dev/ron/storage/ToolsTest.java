package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs people have: curl as the client, b3sum as the judge of addresses. */
final class ToolsTest {
  @TempDir private Path folder;

  @Test
  void curlPutsReadsRangesAndResumes() throws Exception {
    need("curl");
    byte[] object = bytes(1, 900_000);
    Path file = Files.write(folder.resolve("object"), object);
    Path got = folder.resolve("got");
    try (Rig rig = Rig.open(folder.resolve("data"))) {
      String url = rig.uri("/o/" + address(object)).toString();
      assertThat(curl("-T", file.toString(), url)).contains("\"size\":900000");
      curl("-r", "100-199", "-o", got.toString(), url);
      assertThat(Files.readAllBytes(got)).isEqualTo(Arrays.copyOfRange(object, 100, 200));
      Files.write(got, Arrays.copyOf(object, 333_333));
      curl("-C", "-", "-o", got.toString(), url);
      assertThat(Files.readAllBytes(got)).as("resumed").isEqualTo(object);
      assertThat(curl("-C", "-", "-o", got.toString(), "-w", "%{http_code}", url))
          .as("nothing is left to resume")
          .endsWith("416");
      assertThat(Files.readAllBytes(got)).isEqualTo(object);
      assertThat(curl("-I", url)).contains("200 OK").containsIgnoringCase("content-length: 900000");
      assertThat(curl("--data-binary", "@" + file, rig.uri("/o").toString()))
          .contains(address(object).toString());
      assertThat(
              curl("-H", "If-None-Match: \"" + address(object) + "\"", "-w", "%{http_code}", url))
          .isEqualTo("304");
    }
  }

  @Test
  void theAddressIsWhatB3sumPrints() throws Exception {
    need("b3sum");
    try (Rig rig = Rig.open(folder.resolve("data"))) {
      for (int size : new int[] {0, 1, 65_535, 65_536, 65_537, 1 << 20}) {
        byte[] object = bytes(size, size);
        Path file = Files.write(folder.resolve("object"), object);
        String sum = run("b3sum", "--no-names", file.toString()).strip();
        assertThat(Rig.words(rig.send("POST", "/o", object))).contains("\"b3:" + sum + "\"");
      }
    }
  }

  private static void need(String program) {
    boolean found =
        Arrays.stream(System.getenv("PATH").split(":", -1))
            .anyMatch(each -> Files.isExecutable(Path.of(each, program)));
    Assumptions.assumeTrue(found, "NOT RUN: " + program + " is not installed");
  }

  private static String curl(String... args) throws Exception {
    var command = new ArrayList<>(List.of("curl", "-s", "-S"));
    command.addAll(List.of(args));
    return run(command.toArray(String[]::new));
  }

  private static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return said;
  }
}
