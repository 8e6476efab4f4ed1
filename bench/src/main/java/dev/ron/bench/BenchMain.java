package dev.ron.bench;

import dev.ron.bench.plot.Plot;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.run.BenchOptions;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.JsonLine;
import dev.ron.bench.run.Progress;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The command {@code ron bench}: results as JSON lines on standard output, everything else on
 * standard error.
 *
 * <p>Threading: owned by the main thread.
 */
public final class BenchMain {
  static final int OK = 0;
  static final int FAILED = 1;
  static final int MISUSED = 2;

  private final Benchmarks benchmarks;
  private final SearchPath searchPath;
  private final PrintStream out;
  private final PrintStream err;
  private final Progress progress;

  public BenchMain(
      Benchmarks benchmarks,
      SearchPath searchPath,
      PrintStream out,
      PrintStream err,
      boolean watched) {
    this.benchmarks = benchmarks;
    this.searchPath = searchPath;
    this.out = out;
    this.err = err;
    this.progress = new Progress(err, watched);
  }

  // Error Prone speaks of JDK 22 to 24; since 25 there is again no console in a pipe.
  @SuppressWarnings("SystemConsoleNull")
  public static void main(String[] args) {
    Console console = System.console();
    boolean watched = console != null && console.isTerminal();
    var main =
        new BenchMain(Benchmarks.known(), SearchPath.ofMachine(), System.out, System.err, watched);
    System.exit(main.run(args));
  }

  /** Does what the arguments ask and answers the exit code: 0 done, 1 failed, 2 misused. */
  public int run(String... args) {
    try {
      BenchOptions options = BenchOptions.parse(args);
      if (options.name().equals("list")) {
        return list(options);
      }
      Optional<Benchmark> benchmark = benchmarks.named(options.name());
      if (benchmark.isEmpty()) {
        return unknown(options.name());
      }
      // Asked before minutes are spent on measuring.
      Path plot = options.plot();
      if (plot != null && !Files.isDirectory(plot.resolveSibling("."))) {
        err.println("ron bench: there is no folder for " + plot);
        return MISUSED;
      }
      return measure(benchmark.get(), options);
    } catch (BenchOptions.Misuse e) {
      err.println("ron bench: " + e.getMessage());
      err.println(BenchOptions.USAGE);
      return MISUSED;
    } catch (IOException e) {
      // A file exception's message is often no more than the file's name.
      boolean plain = e.getClass() == IOException.class;
      err.println("ron bench: " + (plain ? e.getMessage() : e.toString()));
      return FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      err.println("ron bench: interrupted");
      return FAILED;
    }
  }

  private int unknown(String name) {
    String nearest =
        benchmarks.nearest(name).map(known -> "; did you mean " + known + "?").orElse("");
    err.println("ron bench: there is no benchmark " + name + nearest);
    return MISUSED;
  }

  private int measure(Benchmark benchmark, BenchOptions options)
      throws IOException, InterruptedException {
    for (Peer peer : benchmark.peers(searchPath)) {
      progress.say(peer.isPresent() ? peer.name() + ": " + peer.version() : peer.absence());
    }
    var run =
        new BenchRun(
            benchmark.name(),
            options,
            searchPath,
            comparison -> {
              out.println(comparison.json());
              out.flush();
            },
            progress);
    benchmark.run(run);
    Path plot = options.plot();
    if (plot == null) {
      return OK;
    }
    Plot own = run.own();
    if (own != null) {
      own.write(plot);
      return OK;
    }
    if (run.ratios().isEmpty()) {
      err.println("ron bench: no plot, for there was no peer to compare with");
      return FAILED;
    }
    plotOf(benchmark, run.ratios()).write(plot);
    return OK;
  }

  private static Plot plotOf(Benchmark benchmark, List<Plot.Series> ratios) {
    int rounds =
        ratios.stream().map(series -> series.values().size()).max(Comparator.naturalOrder()).get();
    return new Plot(
        benchmark.name() + ": ours beside its peers",
        "round",
        "ours / peer",
        rounds == 1 ? Plot.Kind.BARS : Plot.Kind.LINES,
        IntStream.rangeClosed(1, rounds).mapToObj(Integer::toString).toList(),
        ratios,
        1.0);
  }

  private int list(BenchOptions options) throws IOException, InterruptedException {
    for (Benchmark benchmark : benchmarks.all()) {
      if (!options.json()) {
        out.println(benchmark.name() + "  " + benchmark.what());
      }
      for (Peer peer : benchmark.peers(searchPath)) {
        String version = peer.isPresent() ? peer.version() : null;
        if (options.json()) {
          var line =
              new JsonLine()
                  .text("bench", benchmark.name())
                  .text("what", benchmark.what())
                  .text("peer_name", peer.name())
                  .text("peer_version", version);
          out.println(version == null ? line.text("absent", peer.absence()) : line);
        } else {
          out.println(
              version == null
                  ? "  beside nothing: " + peer.absence()
                  : "  beside " + peer.name() + ": " + version);
        }
      }
    }
    out.flush();
    return OK;
  }
}
