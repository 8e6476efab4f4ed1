package dev.ron.rewarder.score;

import dev.ron.kernel.disk.DiskFile;
import dev.ron.rewarder.core.score.LineFault;
import dev.ron.rewarder.input.parquet.ParquetFooter;
import dev.ron.rewarder.input.parquet.ParquetRows;
import java.io.IOException;
import java.util.Optional;

/**
 * Cuts a Parquet file into pieces, one for each row group.
 *
 * <p>Threading: stateless.
 */
final class ParquetPieces {
  private ParquetPieces() {}

  /**
   * @param file verified; closed when all of it was read
   */
  static Optional<LineFault> read(DiskFile file, ParallelTally reading)
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
