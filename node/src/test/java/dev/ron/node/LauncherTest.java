package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The shell launcher, where it does not come as far as Java. */
@Timeout(60)
class LauncherTest {
  private static final Path ROOT = Path.of(System.getProperty("ron.root", "."));
  @TempDir private Path machine;

  @Test
  void withoutAJdkItSaysInTwoLinesWhatToDo() throws Exception {
    // A copy with no folder of JDKs to look in: what a machine without one looks like.
    Path launcher = machine.resolve("ron");
    Files.writeString(
        launcher, Files.readString(ROOT.resolve("ron")).replace("/usr/lib/jvm/*", "/nowhere/*"));
    var builder = new ProcessBuilder("/bin/sh", launcher.toString(), "up");
    builder.environment().clear();
    builder.environment().put("PATH", emptyPath());
    builder.environment().put("HOME", machine.toString());
    Process process = builder.redirectErrorStream(true).start();
    List<String> said = new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(said).hasSize(2);
    assertThat(said.getFirst()).startsWith("ron needs a JDK 25 or newer and found none");
    assertThat(said.getLast()).startsWith("Install one");
  }

  @Test
  void itIsPlainShell() throws Exception {
    Process process = new ProcessBuilder("/bin/sh", "-n", ROOT.resolve("ron").toString()).start();
    assertThat(process.waitFor()).isZero();
  }

  /** Only the tools the launcher itself needs, and no Java. */
  private String emptyPath() throws Exception {
    Path bin = Files.createDirectory(machine.resolve("bin"));
    for (String tool : List.of("dirname", "readlink", "sed", "find", "head")) {
      for (String folder : List.of("/bin", "/usr/bin")) {
        Path real = Path.of(folder, tool);
        if (Files.exists(real) && !Files.exists(bin.resolve(tool))) {
          Files.createSymbolicLink(bin.resolve(tool), real);
        }
      }
    }
    return bin.toString();
  }
}
