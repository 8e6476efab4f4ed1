package dev.ron.journal.file;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a salvage saved, and exactly what it did not.
 *
 * <p>Threading: immutable.
 *
 * @param recordsCopied records in the new journal
 * @param first the position of the first of them that was looked for
 * @param next the position after the last; whatever came behind is in {@code lostBytes} only
 * @param lostRecords positions that were flushed once and have no readable record
 * @param lostBytes bytes in the old files that are no record
 * @param newestSnapshot the position of the newest snapshot that was copied
 */
public record SalvageReport(
    long recordsCopied,
    long first,
    long next,
    List<LostRecords> lostRecords,
    List<LostBytes> lostBytes,
    OptionalLong newestSnapshot) {
  public SalvageReport {
    lostRecords = List.copyOf(lostRecords);
    lostBytes = List.copyOf(lostBytes);
  }

  /** Positions {@code from} to {@code to - 1}. */
  public record LostRecords(long from, long to) {}

  /** A range of a file, and what should have been there. */
  public record LostBytes(Path file, long offset, long bytes, String what) {}

  /** Not a byte was lost. */
  public boolean clean() {
    return lostRecords.isEmpty() && lostBytes.isEmpty();
  }

  /** For a person. */
  public List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add("%d records copied, %d to %d".formatted(recordsCopied, first, next - 1));
    for (LostRecords lost : lostRecords) {
      boolean covered = newestSnapshot.isPresent() && lost.to() <= newestSnapshot.getAsLong();
      lines.add(
          "LOST records %d to %d%s"
              .formatted(
                  lost.from(), lost.to() - 1, covered ? ", all before the newest snapshot" : ""));
    }
    for (LostBytes lost : lostBytes) {
      lines.add(
          "LOST %d bytes of %s at %d: %s"
              .formatted(lost.bytes(), lost.file(), lost.offset(), lost.what()));
    }
    newestSnapshot.ifPresent(at -> lines.add("newest snapshot copied: " + at));
    return lines;
  }
}
