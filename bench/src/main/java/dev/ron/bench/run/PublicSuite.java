package dev.ron.bench.run;

import dev.ron.bench.process.Peer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A test suite of others that a program of this machine runs from a checkout, which is named with
 * {@code --suite}. It is neither fetched nor kept by us.
 *
 * <p>Threading: immutable.
 *
 * @param install how a checkout is made
 * @param unit what is counted
 */
public record PublicSuite(String name, String install, String unit) {
  /** The checkout; empty if it or the program is missing, which is told then. */
  public Optional<Path> checkout(BenchRun run, Peer program) {
    if (run.suite().isPresent() && program.isPresent()) {
      return run.suite().map(Path::toAbsolutePath);
    }
    var suite = new Peer(name, install + ", --suite DIR", null, null);
    run.absent("passed", unit, suite, program.isPresent() ? suite : program);
    return Optional.empty();
  }

  /**
   * A command that runs in the checkout.
   *
   * @param words variables as {@code NAME=value}, the program, its arguments
   */
  public static List<String> in(Path checkout, String... words) {
    var command = new ArrayList<>(List.of("env", "-C", checkout.toString()));
    command.addAll(List.of(words));
    return command;
  }

  /**
   * A count of ours beside one that was published.
   *
   * @param theirs null where they publish none
   */
  public Comparison beside(String what, long ours, @Nullable Long theirs, String peer) {
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
