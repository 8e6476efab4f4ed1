package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.node.cli.ProgressBar;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The storage's commands against a running node. */
@Timeout(60)
@ResourceLock(Resources.SYSTEM_OUT)
class StorageCommandsTest {
  @TempDir private Path data;

  @Test
  void aFileIsStoredReadVerifiedAndListedFromTheCommandLine() throws Exception {
    try (RunningNode node = RunningNode.start(data, Map.of())) {
      String url = node.url("storage");
      String token = node.keys().adminToken();
      Path small = Files.writeString(data.resolve("small"), "hello\n");
      Path large = Files.write(data.resolve("large"), new byte[3_000_000]);
      String put = ron(url, token, "put", small.toString(), large.toString());
      assertThat(put)
          .startsWith("0 b3:")
          .containsPattern("b3:[0-9a-f]{64}  " + small + "\nb3:[0-9a-f]{64}  " + large + "\n$");
      String address = put.substring(2, put.indexOf(' ', 2));
      assertThat(ron(url, token, "put", "--json", small.toString()))
          .isEqualTo("0 {\"address\":\"%s\",\"size\":6}\n".formatted(address));
      assertThat(ron(url, "", "get", address)).as("reading is public").isEqualTo("0 hello\n");
      Path out = data.resolve("out");
      assertThat(ron(url, "", "get", address, "-o", out.toString())).isEqualTo("0 ");
      assertThat(out).hasContent("hello\n");
      assertThat(ron(url, "", "verify", address)).isEqualTo("0 " + address + ": ok, 6 B\n");
      assertThat(ron(url, token, "ls")).contains("           6  " + address + "\n");
      assertThat(ron(url, token, "ls", "--json", "--limit", "1")).matches("0 \\{.*\\}\n");
      assertThat(ron(url, token, "repair", "status"))
          .startsWith("0 plans        none\n")
          .contains("budget       50.0 MiB/s of 50.0 MiB/s")
          .contains("directory    " + data);
      assertThat(ron(url, token, "repair", "status", "--json"))
          .startsWith("0 {\"plans\":0,\"bytes_left\":0,");
      assertThat(ron(url, "", "put", small.toString()))
          .as("what all can read is not the caller's own: it is sent, which needs a capability")
          .startsWith("1 ");
      Path secret = Files.writeString(data.resolve("secret"), "new");
      assertThat(ron(url, "", "put", secret.toString())).as("no capability").startsWith("1 ");
      assertThat(ron(url, "", "ls")).startsWith("1 ");
      String nothing = "b3:" + "0".repeat(64);
      Path none = data.resolve("none");
      assertThat(ron(url, "", "get", nothing, "-o", none.toString())).startsWith("1 ");
      assertThat(none).doesNotExist();
      assertThat(data.resolve("none.part")).as("what was begun").doesNotExist();
      assertThat(ron(url, "", "get", address, "-o", "-")).isEqualTo("0 hello\n");
      assertThat(ron(url, "", "verify", nothing)).startsWith("1 " + nothing + ": NOT VERIFIED");
      assertThat(ron(url, "", "get", "nonsense")).startsWith("1 ");
    }
  }

  @Test
  void theBarShowsHowFarItIs() {
    assertThat(ProgressBar.line("a file", 512 << 10, 1 << 20))
        .isEqualTo("a file                   [###############               ]  50% 1.0 MiB");
    assertThat(ProgressBar.line("nothing", 0, 0)).endsWith("100% 0 B");
    assertThat(ProgressBar.size(1023)).isEqualTo("1023 B");
    assertThat(ProgressBar.size(5L << 40)).isEqualTo("5.0 TiB");
  }

  /** The exit code, a space, and what was said. */
  private static String ron(String url, String token, String... args) {
    var all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--url", url, "--cap", token));
    PrintStream before = System.out;
    var out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, UTF_8));
    try {
      return Ron.run(all.toArray(String[]::new)) + " " + out.toString(UTF_8);
    } finally {
      System.setOut(before);
    }
  }
}
