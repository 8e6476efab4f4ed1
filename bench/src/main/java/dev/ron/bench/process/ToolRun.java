package dev.ron.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A program run to its end: exit code, what it printed, and the CPU time it cost.
 *
 * <p>The CPU time is read from what this process's ended children have used, so two tools must not
 * run at the same time if it matters.
 *
 * <p>Threading: immutable.
 */
public record ToolRun(int exitCode, String output, CpuTime cpu) {
  public static ToolRun of(String name, List<String> command, Duration limit)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile("ron-bench-" + name, ".log");
    CpuTime before = CpuTime.ownEndedChildren();
    try (ChildProcess child = ChildProcess.start(name, command, log)) {
      int exitCode = child.awaitExit(limit);
      return new ToolRun(exitCode, child.output(), CpuTime.ownEndedChildren().minus(before));
    } finally {
      Files.delete(log);
    }
  }

  /** The same, for a tool whose failure means that there is nothing to read. */
  public static ToolRun succeeding(String name, List<String> command, Duration limit)
      throws IOException, InterruptedException {
    ToolRun run = of(name, command, limit);
    if (run.exitCode != 0) {
      throw new IOException(name + " ended with " + run.exitCode + "\n" + run.output);
    }
    return run;
  }
}
