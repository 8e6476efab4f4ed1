package dev.ron.bench.run;

import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A test suite of others that a program of this machine runs from a checkout, which is named with
 * {@code --suite}. It is neither fetched nor kept by us.
 *
 * <p>Threading: immutable.
 */
public abstract class PublicSuite implements Benchmark {
  private final String name;
  private final String install;
  private final String unit;
  private final Function<SearchPath, Peer> program;

  /**
   * @param install how a checkout is made
   * @param unit what is counted
   * @param program what runs it
   */
  protected PublicSuite(
      String name, String install, String unit, Function<SearchPath, Peer> program) {
    this.name = name;
    this.install = install;
    this.unit = unit;
    this.program = program;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final List<Peer> peers(SearchPath searchPath) {
    return List.of(program.apply(searchPath));
  }

  /** Runs it; a checkout or program that is missing is told instead. */
  @Override
  public final void run(BenchRun run) throws IOException, InterruptedException {
    Peer found = program.apply(run.searchPath());
    if (run.suite().isEmpty() || !found.isPresent()) {
      var suite = new Peer(name, install + ", --suite DIR", null, null);
      run.absent("passed", unit, suite, found.isPresent() ? suite : found);
      return;
    }
    try (TempFolder folder = TempFolder.create()) {
      run(run, found, run.suite().get().toAbsolutePath(), folder.path());
    }
  }

  /**
   * Runs it, reports its counts, and fails if it did not go as it must.
   *
   * @param folder for what it leaves
   */
  protected abstract void run(BenchRun run, Peer program, Path checkout, Path folder)
      throws IOException, InterruptedException;

  /**
   * A command that runs in the checkout.
   *
   * @param words variables as {@code NAME=value}, the program, its arguments
   */
  protected static List<String> in(Path checkout, String... words) {
    var command = new ArrayList<>(List.of("env", "-C", checkout.toString()));
    command.addAll(List.of(words));
    return command;
  }

  /**
   * A count of ours beside one that was published.
   *
   * @param theirs null where they publish none
   */
  protected final Comparison beside(String what, long ours, @Nullable Long theirs, String peer) {
    return new Comparison(
        name,
        what,
        (double) ours,
        theirs == null ? null : (Double) (double) theirs,
        peer + " (published)",
        unit,
        theirs == null ? null : (Double) ((double) ours / theirs),
        1,
        theirs == null ? null : (Double) 0.0,
        theirs == null ? "not published" : null);
  }
}
