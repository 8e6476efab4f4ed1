package dev.ron.bench.run;

import dev.ron.bench.process.SearchPath;
import java.util.ArrayList;
import java.util.List;

/** The shortest run there is, {@code --rounds 1 --seconds 1}, with its results in hand. */
public final class TestRun {
  private TestRun() {}

  public static List<Comparison> of(Benchmark benchmark, SearchPath searchPath) throws Exception {
    var results = new ArrayList<Comparison>();
    var options = new BenchOptions(benchmark.name(), 1, 1, null, null, 0, null, null, true);
    benchmark.run(
        new BenchRun(
            benchmark.name(), options, searchPath, results::add, new Progress(System.err, false)));
    return results;
  }
}
