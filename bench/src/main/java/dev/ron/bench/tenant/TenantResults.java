package dev.ron.bench.tenant;

import dev.ron.bench.run.Rounds;
import dev.ron.bench.run.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What was seen at all doors, as a table for a page: medians of the rounds, and in brackets the
 * smallest and the largest.
 *
 * <p>Threading: owned by the benchmark's thread.
 */
final class TenantResults {
  private final List<String> rows = new ArrayList<>();

  /** The times of a quiet client. */
  record Times(double p50Millis, double p99Millis, int asked) {}

  TenantResults() {
    rows.add(
        "| door | share of 1 | of 2 | of 4 | answers/s | p50 alone | beside | p99 alone | beside |"
            + " p99 to alone | p99 to loud elsewhere |");
    rows.add("|---|---|---|---|---|---|---|---|---|---|---|");
  }

  void add(
      String door,
      Rounds<LoudTenants.Counts> shares,
      Rounds<Times> quiet,
      Rounds<Times> apart,
      double sideSeconds) {
    var row = new StringBuilder("| ").append(door);
    for (int i = 0; i < 3; i++) {
      int tenant = i;
      row.append(" | ").append(figures("%.3f", shares.ours(counts -> counts.share(tenant))));
    }
    row.append(" | ").append(figures("%.0f", shares.ours(c -> c.sum() / sideSeconds)));
    row.append(" | ").append(figures("%.2f", quiet.peer(Times::p50Millis)));
    row.append(" | ").append(figures("%.2f", quiet.ours(Times::p50Millis)));
    row.append(" | ").append(figures("%.2f", quiet.peer(Times::p99Millis)));
    row.append(" | ").append(figures("%.2f", quiet.ours(Times::p99Millis)));
    row.append(" | ").append(figures("%.2f", p99Ratio(quiet)));
    row.append(" | ").append(figures("%.2f", p99Ratio(apart))).append(" |");
    rows.add(row.toString());
  }

  private static Spread p99Ratio(Rounds<Times> rounds) {
    return Spread.ofRatios(rounds.ours(Times::p99Millis), rounds.peer(Times::p99Millis));
  }

  private static String figures(String form, double... readings) {
    return figures(form, Spread.of(readings));
  }

  private static String figures(String form, Spread spread) {
    return String.format(
        Locale.ROOT,
        "%s (%s to %s)".replace("%s", form),
        spread.median(),
        spread.min(),
        spread.max());
  }

  @Override
  public String toString() {
    return String.join("\n", rows);
  }
}
