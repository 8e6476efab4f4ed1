package dev.ron.rewarder.input.parquet;

import dev.ron.kernel.disk.DiskFile;
import dev.ron.rewarder.core.score.DictionarySums;
import dev.ron.rewarder.core.score.LineFault;
import dev.ron.rewarder.core.score.Tally;
import dev.ron.rewarder.input.ActorName;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Adds the rows of one row group to a tally.
 *
 * <p>A metric is looked up once for each value of its dictionary. Rows of an actor that is in a
 * dictionary are added up by its number there, and passed on once.
 *
 * <p>Threading: owned by the worker that reads the group.
 */
public final class ParquetRows {
  private static final int UNSEEN = -2;

  private final ParquetColumn actor;
  private final ParquetColumn metric;
  private final ParquetColumn units;
  private final int[] metrics;
  private final Tally tally;
  private final DictionarySums sums;

  private ParquetRows(DiskFile file, ParquetFooter.RowGroup group, Tally tally) throws IOException {
    this.actor = ParquetColumn.read(file, group.actor());
    this.metric = ParquetColumn.read(file, group.metric());
    this.units = ParquetColumn.read(file, group.units());
    this.metrics = new int[metric.values];
    Arrays.fill(metrics, UNSEEN);
    this.tally = tally;
    this.sums = tally.sums(actor.dictionarySize);
  }

  /** The first wrong row, counted from 1 in this group, or null. */
  public static @Nullable LineFault read(DiskFile file, ParquetFooter.RowGroup group, Tally tally)
      throws IOException {
    var rows = new ParquetRows(file, group, tally);
    for (int row = 0; row < group.rows(); row++) {
      String wrong = rows.row(row);
      if (wrong != null) {
        return new LineFault(row + 1L, wrong);
      }
    }
    rows.tellSums();
    return null;
  }

  private @Nullable String row(int row) {
    int name = actor.rows[row];
    boolean again = name < actor.dictionarySize && sums.lines(name) > 0;
    if (!again) {
      String wrong = ActorName.wrong(actor.text(), actor.froms[name], actor.tos[name]);
      if (wrong != null) {
        return wrong;
      }
    }
    int kind = metric(metric.rows[row]);
    int value = units.rows[row];
    if (units.isText()) {
      return tally.line(
          actor.text(),
          actor.froms[name],
          actor.tos[name],
          kind,
          units.text(),
          units.froms[value],
          units.tos[value]);
    }
    long high = units.highs[value];
    long low = units.lows[value];
    if (name < actor.dictionarySize && kind != Tally.UNKNOWN && high == 0 && low >= 0) {
      sums.line(name, kind, low);
      return null;
    }
    return tally.line(actor.text(), actor.froms[name], actor.tos[name], kind, high, low);
  }

  private int metric(int value) {
    int known = metrics[value];
    if (known == UNSEEN) {
      known = tally.metric(metric.text(), metric.froms[value], metric.tos[value]);
      metrics[value] = known;
    }
    return known;
  }

  private void tellSums() {
    for (int name = 0; name < actor.dictionarySize; name++) {
      if (sums.lines(name) > 0) {
        tally.add(sums, name, actor.text(), actor.froms[name], actor.tos[name]);
      }
    }
  }
}
