package dev.ron.bench.compute;

import dev.ron.bench.process.CpuTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A running {@link AggregateMain}; it ends when its standard input does, and so with this process.
 *
 * <p>Threading: owned by the benchmark's thread.
 */
final class AggregateChild implements AutoCloseable {
  private static final int LAST_WORDS_MAX = 2000;

  private final Process process;
  private final Path errors;
  private final BufferedReader answers;
  private final Writer requests;

  /**
   * What one aggregation came to.
   *
   * @param peakMebibytes the most memory the process ever held
   */
  record Sample(
      double linesPerSecond, double linesPerCpuSecond, double peakMebibytes, String sum) {}

  private AggregateChild(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.requests = process.outputWriter(StandardCharsets.UTF_8);
  }

  /**
   * With the heap that the launcher gives a node.
   *
   * @param jar put on its class path besides ours
   * @param errors gets what it says before it fails
   */
  static AggregateChild start(String engine, int workers, @Nullable Path jar, Path errors)
      throws IOException {
    String classes = System.getProperty("java.class.path");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-XX:+UseCompactObjectHeaders",
                "--add-modules",
                "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(
        List.of("-cp", jar == null ? classes : classes + java.io.File.pathSeparator + jar));
    command.addAll(List.of(AggregateMain.class.getName(), engine, Integer.toString(workers)));
    return new AggregateChild(
        new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
  }

  Sample sum(String form, Path file, long lines) throws IOException {
    CpuTime before = CpuTime.of(process.pid());
    requests.write(form + " " + file + "\n");
    requests.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("the process that adds up has ended: " + lastWords());
    }
    String[] words = answer.split(" ", 2);
    return new Sample(
        lines / (Long.parseLong(words[0]) / 1e9),
        CpuTime.of(process.pid()).minus(before).rate((double) lines),
        peakMebibytes(process.pid()),
        words[1]);
  }

  /** How it ended: 137 would be a kill, 1 an exception that it tells. */
  private String lastWords() throws IOException {
    int exit = process.onExit().join().exitValue();
    String said = Files.readString(errors);
    return "exit %d, %s"
        .formatted(exit, said.substring(Math.max(0, said.length() - LAST_WORDS_MAX)).strip());
  }

  private static double peakMebibytes(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
      }
    }
    return Double.NaN;
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
