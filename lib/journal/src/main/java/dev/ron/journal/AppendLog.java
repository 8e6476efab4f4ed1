package dev.ron.journal;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.time.Deadline;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A log of records in one order, some of them durable.
 *
 * <p>A record's position is its number, counted from 0 and never used twice for two records that
 * were both flushed.
 *
 * <p>Threading: from any thread.
 */
public interface AppendLog {
  /**
   * Puts records, none of them empty, behind all that were appended before; never waits.
   *
   * <p>The bytes are copied. All records are taken or none.
   */
  AppendResult append(List<ByteBuffer> records);

  /** How far the journal is on the disk; a task can wait for changes. */
  Watch<FlushPosition> flushed();

  /** Waits until every record before {@code position} is on the disk. */
  default Durability await(long position, Deadline deadline) throws InterruptedException {
    Watch.Version<FlushPosition> seen = flushed().latest();
    while (true) {
      if (seen.value().position() >= position) {
        return new Durability.Durable();
      }
      Optional<JournalFault> fault = seen.value().fault();
      if (fault.isPresent()) {
        return new Durability.Unknown(fault.get());
      }
      Watch.Version<FlushPosition> later = flushed().await(seen, deadline);
      if (later.number() == seen.number()) {
        return new Durability.Late();
      }
      seen = later;
    }
  }
}
