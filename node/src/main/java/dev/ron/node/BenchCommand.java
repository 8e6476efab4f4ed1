package dev.ron.node;

import dev.ron.bench.BenchMain;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Hands everything on to the benchmarks, which have their own flags. */
@Command(name = "bench", description = "Measure Ron beside its peers: `ron bench list`.")
final class BenchCommand implements Callable<Integer> {
  @Parameters(arity = "0..*", paramLabel = "ARG")
  private List<String> args = List.of();

  @Override
  public Integer call() throws Exception {
    BenchMain.main(args.toArray(String[]::new));
    return 0;
  }
}
