package dev.ron.journal;

import java.util.Optional;

/**
 * How far a journal is on the disk.
 *
 * @param position every record before this one survives a crash
 * @param fault why it will never get further, if so
 */
public record FlushPosition(long position, Optional<JournalFault> fault) {
  public static FlushPosition upTo(long position) {
    return new FlushPosition(position, Optional.empty());
  }

  public FlushPosition endedBy(JournalFault why) {
    return new FlushPosition(position, Optional.of(why));
  }
}
