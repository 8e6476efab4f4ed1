package dev.ron.journal;

import java.util.Optional;

/**
 * How far a journal is on the disk.
 *
 * @param position every record before this one survives a crash
 * @param fault why it will never get further, if so
 */
public record Flushed(long position, Optional<JournalFault> fault) {
  static Flushed upTo(long position) {
    return new Flushed(position, Optional.empty());
  }

  Flushed endedBy(JournalFault why) {
    return new Flushed(position, Optional.of(why));
  }
}
