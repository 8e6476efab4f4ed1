package dev.ron.bench.run;

import dev.ron.bench.process.Peer;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One line of result: ours beside a peer in one case.
 *
 * <p>{@code ours} and {@code peer} are medians over the rounds; {@code ratio} is the median of the
 * rounds' own ratios, always ours divided by peer, so above 1 is good for a rate and bad for a
 * time; {@code spread} is the relative interquartile range of what the line is about (the ratios,
 * or ours when there is no peer). What was not measured is null and {@code absent} says why.
 *
 * <p>Threading: immutable.
 */
public record Comparison(
    String bench,
    String caseName,
    @Nullable Double ours,
    @Nullable Double peer,
    String peerName,
    String unit,
    @Nullable Double ratio,
    int rounds,
    @Nullable Double spread,
    @Nullable String absent) {

  public Comparison {
    if ((ratio == null) != (absent != null)) {
      throw new IllegalArgumentException("either a ratio or the reason why there is none");
    }
  }

  /** Reads one metric out of the rounds. */
  public static <T> Comparison of(
      String bench,
      String caseName,
      String unit,
      Peer peer,
      Rounds<T> rounds,
      ToDoubleFunction<T> metric) {
    double[] ours = rounds.ours(metric);
    double[] theirs = rounds.hasPeer() ? rounds.peer(metric) : new double[0];
    String absent = null;
    if (!usable(ours)) {
      absent = "no usable reading of ours; more --seconds may help";
    } else if (!rounds.hasPeer()) {
      absent = peer.absence();
    } else if (!usable(theirs)) {
      absent = "no usable reading of " + peer.name() + "; more --seconds may help";
    }
    Spread ratios = absent == null ? Spread.ofRatios(ours, theirs) : null;
    Spread shown = ratios != null ? ratios : usable(ours) ? Spread.of(ours) : null;
    return new Comparison(
        bench,
        caseName,
        usable(ours) ? (Double) Spread.of(ours).median() : null,
        usable(theirs) ? (Double) Spread.of(theirs).median() : null,
        peer.name(),
        unit,
        ratios == null ? null : (Double) ratios.median(),
        rounds.count(),
        shown == null ? null : (Double) shown.relativeInterquartileRange(),
        absent);
  }

  /** The line of the contract; the key {@code absent} is there only when something is. */
  public String json() {
    var line =
        new JsonLine()
            .text("bench", bench)
            .text("case", caseName)
            .number("ours", ours)
            .number("peer", peer)
            .text("peer_name", peerName)
            .text("unit", unit)
            .number("ratio", ratio)
            .integer("rounds", rounds)
            .number("spread", spread);
    return (absent == null ? line : line.text("absent", absent)).toString();
  }

  /** The same for a person's eyes. */
  public String sentence() {
    String head = bench + " " + caseName + ": ours " + figure(ours) + " " + unit;
    if (ratio == null || spread == null) {
      return head + "; " + absent;
    }
    return String.format(
        Locale.ROOT,
        "%s, %s %s, ratio %.3f (middle half %.1f%% wide, %d rounds)",
        head,
        peerName,
        figure(peer),
        ratio,
        100 * spread,
        rounds);
  }

  private static String figure(@Nullable Double value) {
    return value == null ? "unknown" : String.format(Locale.ROOT, "%.4g", value);
  }

  /** What could not be told is NaN, and a ratio to zero is infinite: neither is a result. */
  private static boolean usable(double[] readings) {
    return readings.length > 0
        && Arrays.stream(readings).allMatch(reading -> Double.isFinite(reading) && reading > 0);
  }
}
