package dev.ron.rewarder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.rewarder.score.LargeEpochMain;
import dev.ron.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hundred million lines of ten million actors in a heap of a gibibyte, from the file to the root.
 *
 * <p>The same lines come twice, as one CSV file and as a hundred files under zstd in another order.
 * It takes about eight gigabytes of disk, which are given back, and some minutes; {@code
 * -Dron.lines} and {@code -Dron.actors} make it smaller.
 */
@Tag("long")
final class LargeEpochTest {
  private static final Pattern ROOT = Pattern.compile("\\d+ lines, root [0-9a-f]{64}, Closed");

  @TempDir private Path folder;

  @Test
  void aHundredMillionLinesComeToOneRootInAGibibyte() throws Exception {
    String lines = System.getProperty("ron.lines", "100000000");
    String actors = System.getProperty("ron.actors", "10000000");
    String whole = root("csv", lines, actors);
    String parts = root("parts", lines, actors);
    assertThat(parts).isEqualTo(whole).startsWith(lines + " lines");
  }

  private String root(String form, String lines, String actors) throws Exception {
    Path place = Files.createDirectories(folder.resolve(form));
    String root = "";
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx1g",
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "-cp",
            System.getProperty("java.class.path"),
            LargeEpochMain.class.getName(),
            place.toString(),
            form,
            lines,
            actors);
    try (ChildJvm child = ChildJvm.start(command)) {
      long peakKib = 0;
      for (String line = child.line(); line != null; line = child.line()) {
        System.out.printf("%s: %s%n", form, line);
        peakKib = Math.max(peakKib, peakKib(child.pid()));
        root = ROOT.matcher(line).matches() ? line : root;
      }
      System.out.printf("%s: peak of resident memory %d MiB%n", form, peakKib >> 10);
      assertThat(child.exit(Duration.ofSeconds(10))).isZero();
    }
    delete(place);
    assertThat(root).as("the child's root").isNotEmpty();
    return root;
  }

  /** The most it ever held; nothing to be read once it has ended. */
  private static long peakKib(long pid) {
    try {
      Matcher peak =
          Pattern.compile("VmHWM:\\s+(\\d+) kB")
              .matcher(Files.readString(Path.of("/proc", Long.toString(pid), "status")));
      return peak.find() ? Long.parseLong(peak.group(1)) : 0;
    } catch (IOException ended) {
      return 0;
    }
  }

  /** Before the other form takes as much. */
  private static void delete(Path place) throws IOException {
    try (var all = Files.walk(place)) {
      for (Path one : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(one);
      }
    }
  }
}
