package dev.ron.tilepack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every lie has its refusal, and none of them costs more than 64 MiB of heap. */
class HostilePmtilesTest {
  @TempDir Path folder;

  @TestFactory
  List<DynamicTest> everyLieIsRefused() {
    var tests = new ArrayList<DynamicTest>();
    for (Map.Entry<String, HostilePmtiles.Lie> lie : HostilePmtiles.all().entrySet()) {
      tests.add(
          DynamicTest.dynamicTest(
              lie.getKey(),
              () ->
                  assertThat(SamplePacks.verdict(lie.getValue().bytes()))
                      .startsWith(lie.getValue().refusal())));
    }
    return tests;
  }

  @Test
  void allOfThemWithin64MiBOfHeap() throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx64m",
            "-XX:+ExitOnOutOfMemoryError",
            "--enable-native-access=ALL-UNNAMED",
            "--add-modules=jdk.incubator.vector",
            "-cp",
            System.getProperty("java.class.path"),
            HostileMain.class.getName()));
    int number = 0;
    for (HostilePmtiles.Lie lie : HostilePmtiles.all().values()) {
      Path file = Files.write(folder.resolve("lie-" + number++), lie.bytes());
      command.add(file + "=" + lie.refusal());
    }
    Path output = folder.resolve("output");
    Process child =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(child.waitFor(120, TimeUnit.SECONDS)).as("ended in time").isTrue();
      assertThat(child.exitValue()).as(Files.readString(output)).isZero();
      assertThat(Files.readString(output)).contains("read " + number + ", wrong []");
    } finally {
      child.destroyForcibly();
    }
  }
}
