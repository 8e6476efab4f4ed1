package dev.ron.node.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Stands in the help. The launcher starts the benchmarks itself, from jars that do not ship with a
 * node.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "bench", description = "Measure Ron beside its peers: `ron bench list`.")
public final class BenchCommand implements Callable<Integer> {
  @Parameters(arity = "0..*", paramLabel = "ARG")
  private List<String> args = List.of();

  @Override
  public Integer call() throws IOException {
    throw new IOException(
        "the benchmarks are not among these jars: ask the launcher, `ron bench "
            + String.join(" ", args)
            + "`");
  }
}
