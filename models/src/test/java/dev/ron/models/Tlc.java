package dev.ron.models;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tlc2.TLC;

/**
 * One run of the TLC model checker in a JVM of its own: TLC keeps its state in statics and ends
 * with {@code System.exit}, so it cannot share ours.
 *
 * <p>Threading: immutable; runs of different configs may go on side by side, each in its directory.
 */
final class Tlc {

  private static final Path RUNS = Config.MODELS.resolveSibling("target").resolve("tlc");

  /** Far above the few seconds of any model: a loaded machine is slow, only a runaway is late. */
  private static final Duration TIME_LIMIT = Duration.ofMinutes(3);

  private Tlc() {}

  /**
   * Checks {@code config}.cfg against {@code module}.tla, and leaves output and states in
   * target/tlc.
   */
  static Verdict check(String module, String config) throws IOException, InterruptedException {
    var directory = Files.createDirectories(RUNS.resolve(config));
    var output = directory.resolve("output.txt");
    var process =
        new ProcessBuilder(command(module, config, directory))
            .directory(Config.MODELS.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    // The finally below does not run when this JVM is told to stop in the middle of a test.
    var reaper = new Thread(process::destroyForcibly, "tlc-reaper-" + config);
    Runtime.getRuntime().addShutdownHook(reaper);
    try {
      if (!process.waitFor(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError(
            config + " took more than " + TIME_LIMIT + "\n" + Files.readString(output));
      }
      return new Verdict(process.exitValue(), Files.readString(output), Config.read(config));
    } finally {
      process.destroyForcibly();
      Runtime.getRuntime().removeShutdownHook(reaper);
    }
  }

  private static List<String> command(String module, String config, Path directory) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx512m",
        // The quick compiler: a run ends before the slow one would pay.
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        // TLC unpacks its standard modules into the temporary directory, so each run has its own.
        "-Djava.io.tmpdir=" + directory,
        // Should this JVM be killed outright, the child ends by itself.
        "-Dtlc2.TLC.stopAfter=" + TIME_LIMIT.toSeconds(),
        "-cp",
        jar(),
        TLC.class.getName(),
        "-workers",
        "1",
        "-nowarning",
        "-cleanup",
        // Only at the end: checking liveness again and again on the way doubles the time.
        "-lncheck",
        "final",
        "-coverage",
        "1",
        "-metadir",
        directory.resolve("states").toString(),
        "-config",
        config + ".cfg",
        module + ".tla");
  }

  private static String jar() {
    return Path.of(
            URI.create(TLC.class.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }
}
