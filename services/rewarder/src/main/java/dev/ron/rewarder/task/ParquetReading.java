package dev.ron.rewarder.task;

import dev.ron.kernel.disk.DiskFile;
import dev.ron.rewarder.core.LineFault;
import dev.ron.rewarder.wire.ParquetFooter;
import dev.ron.rewarder.wire.ParquetRows;
import java.io.IOException;
import java.util.Optional;

/**
 * Cuts a Parquet file into pieces, one for each row group.
 *
 * <p>Threading: stateless.
 */
final class ParquetReading {
  private ParquetReading() {}

  /**
   * @param file verified; closed when all of it was read
   */
  static Optional<LineFault> read(DiskFile file, Reading reading)
      throws IOException, InterruptedException {
    try (file) {
      ParquetFooter footer = ParquetFooter.read(file);
      for (ParquetFooter.RowGroup group : footer.rowGroups()) {
        if (!reading.offer(tally -> ParquetRows.read(file, group, tally))) {
          break;
        }
      }
      return reading.end(0);
    }
  }
}
