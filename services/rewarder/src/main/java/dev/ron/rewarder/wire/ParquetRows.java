package dev.ron.rewarder.wire;

import dev.ron.kernel.disk.DiskFile;
import dev.ron.rewarder.core.LineFault;
import dev.ron.rewarder.core.Tally;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Tells the rows of one row group to a tally.
 *
 * <p>A name is looked up once for each value of its dictionary, not for each row.
 *
 * <p>Threading: owned by the worker that reads the group.
 */
public final class ParquetRows {
  private static final int UNSEEN = -2;

  private ParquetRows() {}

  /** The first wrong row, counted from 1 in this group, or null. */
  public static @Nullable LineFault read(DiskFile file, ParquetFooter.RowGroup group, Tally tally)
      throws IOException {
    ParquetColumn actor = ParquetColumn.read(file, group.actor());
    ParquetColumn metric = ParquetColumn.read(file, group.metric());
    ParquetColumn units = ParquetColumn.read(file, group.units());
    int[] entries = unseen(actor.values);
    int[] metrics = unseen(metric.values);
    for (int row = 0; row < group.rows(); row++) {
      int name = actor.rows[row];
      int kind = metric.rows[row];
      if (entries[name] == UNSEEN) {
        byte[] buffer = actor.buffers[name];
        int from = actor.froms[name];
        String wrong = ActorName.wrong(buffer, from, from + actor.lengths[name]);
        if (wrong != null) {
          return new LineFault(row + 1L, wrong);
        }
        entries[name] = tally.entry(buffer, from, from + actor.lengths[name]);
      }
      if (metrics[kind] == UNSEEN) {
        int from = metric.froms[kind];
        metrics[kind] = tally.metric(metric.buffers[kind], from, from + metric.lengths[kind]);
      }
      int value = units.rows[row];
      String stop =
          units.isText()
              ? tally.line(
                  entries[name],
                  metrics[kind],
                  units.buffers[value],
                  units.froms[value],
                  units.froms[value] + units.lengths[value])
              : tally.line(entries[name], metrics[kind], units.highs[value], units.lows[value]);
      if (stop != null) {
        return new LineFault(row + 1L, stop);
      }
    }
    return null;
  }

  private static int[] unseen(int count) {
    int[] all = new int[count];
    Arrays.fill(all, UNSEEN);
    return all;
  }
}
