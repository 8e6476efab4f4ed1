package dev.ron.bench.run;

import dev.ron.bench.plot.Plot;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One run of one benchmark: what it may use, and where its results go.
 *
 * <p>Threading: owned by the benchmark's thread.
 */
public final class BenchRun {
  /** The first round pays for class loading, compiling and cold caches, so it is thrown away. */
  private static final int WARMUP_ROUNDS = 1;

  /**
   * A side may need this much more than its time, as where a queue is emptied after it was filled.
   */
  private static final int SLACK = 4;

  private final String bench;
  private final BenchOptions options;
  private final SearchPath searchPath;
  private final Consumer<Comparison> results;
  private final Progress progress;
  private final List<Plot.Series> ratios = new ArrayList<>();
  private @Nullable Plot own;

  public BenchRun(
      String bench,
      BenchOptions options,
      SearchPath searchPath,
      Consumer<Comparison> results,
      Progress progress) {
    this.bench = bench;
    this.options = options;
    this.searchPath = searchPath;
    this.results = results;
    this.progress = progress;
  }

  public SearchPath searchPath() {
    return searchPath;
  }

  /** How long one side shall work in one round. */
  public Duration sideTime() {
    return Duration.ofSeconds(options.sideSeconds());
  }

  /** The checkout that was named for a test suite. */
  public Optional<Path> suite() {
    return Optional.ofNullable(options.suite());
  }

  /** The only service that is wanted of several; empty for all. */
  public Optional<String> service() {
    return Optional.ofNullable(options.service());
  }

  /** The distribution that was named to compare with. */
  public Optional<Path> beside() {
    return Optional.ofNullable(options.beside());
  }

  public int rounds() {
    return options.rounds();
  }

  /** How many objects to make, where that was not said as many as is usual. */
  public int objects(int usual) {
    return options.objects() == 0 ? usual : options.objects();
  }

  /** Reports a line that was not measured in rounds. */
  public void report(Comparison comparison) {
    results.accept(comparison);
    if (!options.json()) {
      progress.say(comparison.sentence());
    }
  }

  /** Prints a table for a page, also where no person watches. */
  public void table(String rows) {
    if (!options.json()) {
      progress.table(rows);
    }
  }

  /** Tells a watching person something; not part of the result. */
  public void say(String sentence) {
    progress.say(sentence);
  }

  /** Lets both take turns as often as was asked for; without a peer ours runs alone. */
  public <T> Rounds<T> interleave(String label, Side<T> ours, @Nullable Side<T> peer)
      throws IOException, InterruptedException {
    int turns = WARMUP_ROUNDS + options.rounds();
    Duration limit = sideTime().multipliedBy(2L * SLACK * turns);
    var interleave =
        new Interleave(
            WARMUP_ROUNDS,
            options.rounds(),
            limit,
            Interleave.Order.alternating(),
            System::nanoTime);
    int[] done = {0};
    progress.bar(label, 0, turns);
    Side<T> counted =
        () -> {
          T measured = ours.measure();
          progress.bar(label, ++done[0], turns);
          return measured;
        };
    Rounds<T> rounds = interleave.run(counted, peer);
    progress.clear();
    if (rounds.cutShort()) {
      progress.say(label + ": time ran out after " + rounds.count() + " rounds");
    }
    return rounds;
  }

  /** Reports one metric of the rounds as one line of result. */
  public <T> void compare(
      String caseName, String unit, Peer peer, Rounds<T> rounds, ToDoubleFunction<T> metric) {
    Comparison comparison = Comparison.of(bench, caseName, unit, peer, rounds, metric);
    if (comparison.ratio() != null) {
      double[] ours = rounds.ours(metric);
      double[] theirs = rounds.peer(metric);
      double[] each = new double[ours.length];
      Arrays.setAll(each, i -> ours[i] / theirs[i]);
      ratios.add(
          new Plot.Series(
              caseName + " (" + unit + ") / " + peer.name(), Arrays.stream(each).boxed().toList()));
    }
    results.accept(comparison);
    if (!options.json()) {
      progress.say(comparison.sentence());
    }
  }

  /** Reports a case of which nothing could be measured, for want of what {@code lacking} is. */
  public void absent(String caseName, String unit, Peer peer, Peer lacking) {
    absent(caseName, unit, peer, lacking.absence());
  }

  /** Reports a case of which nothing could be measured. */
  public void absent(String caseName, String unit, Peer peer, String why) {
    var comparison =
        new Comparison(bench, caseName, null, null, peer.name(), unit, null, 0, null, why);
    results.accept(comparison);
    if (!options.json()) {
      progress.say(comparison.sentence());
    }
  }

  /** Draws something better than the ratios, if a plot was asked for. */
  public void draw(Plot plot) {
    own = plot;
  }

  @Nullable public Plot own() {
    return own;
  }

  /** The ratios of all rounds so far, one series per comparison that had a peer. */
  public List<Plot.Series> ratios() {
    return List.copyOf(ratios);
  }
}
