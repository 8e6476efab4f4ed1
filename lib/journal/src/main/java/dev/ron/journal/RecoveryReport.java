package dev.ron.journal;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What was found at open.
 *
 * @param first the position of the oldest record
 * @param next the position after the newest record
 * @param tornTail what a crash had left of an unfinished write, and was cut
 * @param snapshotsRefused snapshots that could not be read and were passed over
 */
public record RecoveryReport(
    long first,
    long next,
    Optional<TornTail> tornTail,
    List<JournalFault.Corrupt> snapshotsRefused) {
  /**
   * Bytes behind the last right record of the last segment; no appender was told they were durable.
   */
  public record TornTail(Path segment, long offset, long bytes, String why) {}
}
