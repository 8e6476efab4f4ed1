package dev.ron.ordered.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A disk that is really full: a file system of 32 MiB that only the child process sees. */
class FullDiskTest {
  /** A batch that RocksDB holds on a full disk is given up after a minute, without a word. */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final String MOUNT = "mount -t tmpfs -o size=32m ordered \"$0\" && exec \"$@\"";

  /** Whether a flush or a batch meets the failure first. */
  @ParameterizedTest
  @ValueSource(ints = {3, 100_000})
  void aFullDiskEndsTheChangesAndNotTheReads(int flushEvery, @TempDir Path folder)
      throws Exception {
    assumeTrue(
        runs(onSmallDisk(folder, List.of("true"))),
        "NOT RUN: unshare cannot mount a small file system here");
    List<String> command =
        onSmallDisk(
            folder, ChildJvm.command(FullDiskMain.class, folder.toString(), "" + flushEvery));
    var said = new ArrayList<String>();
    try (ChildJvm child = ChildJvm.start(command)) {
      for (String line = child.line(LIMIT); line != null; line = child.line(LIMIT)) {
        said.add(line);
      }
      assertThat(child.exit(LIMIT)).as("%s", said).isZero();
    }
    assertThat(said)
        .containsExactly(
            "failed Full",
            "apply Sealed",
            "flush Sealed",
            "refusal true",
            "reads row",
            "last true",
            "durable true",
            "closed");
  }

  private static List<String> onSmallDisk(Path folder, List<String> command) {
    var all = new ArrayList<>(List.of("unshare", "-rm", "sh", "-c", MOUNT, folder.toString()));
    all.addAll(command);
    return all;
  }

  private static boolean runs(List<String> command) throws InterruptedException {
    try {
      Process tried =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return tried.waitFor(10, TimeUnit.SECONDS) && tried.exitValue() == 0;
    } catch (IOException absent) {
      return false;
    }
  }
}
