package dev.ron.bench;

import dev.ron.bench.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Another JVM with the classes of the tests, and waiting for a line that a child prints. */
public final class TestJvm {
  private TestJvm() {}

  public static List<String> command(Class<?> main, String... args) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(args));
    return command;
  }

  /** Waits until the child has printed a match; a child that never does fails the test. */
  public static MatchResult awaitPrinted(ChildProcess child, String pattern)
      throws IOException, InterruptedException {
    Pattern compiled = Pattern.compile(pattern);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (System.nanoTime() < deadline) {
      var matcher = compiled.matcher(child.output());
      if (matcher.find()) {
        return matcher.toMatchResult();
      }
      // Another process's file gives no signal; looking a thousand times a second leaves it CPU.
      LockSupport.parkNanos(1_000_000);
    }
    throw new AssertionError("not printed: " + pattern + "\n" + child.output());
  }
}
