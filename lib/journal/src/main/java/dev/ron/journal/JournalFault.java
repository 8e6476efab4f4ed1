package dev.ron.journal;

import static dev.ron.kernel.fault.Said.NO_STATUS;
import static dev.ron.kernel.fault.Said.caller;
import static dev.ron.kernel.fault.Said.us;

import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a journal can refuse or find wrong, in order of precedence.
 *
 * <p>Without a status: a service answers with a fault of its own.
 */
public sealed interface JournalFault extends Fault {
  /**
   * A flush failed, so it is unknown what is on the disk.
   *
   * <p>The operating system drops what it could not write and reports that once; the next flush
   * would succeed without those bytes. Only reading everything again tells, so: restart.
   */
  record Poisoned(String why) implements JournalFault {}

  /** The journal takes nothing any more. */
  record Closed(String journal) implements JournalFault {}

  /** A record that no buffer will ever hold. */
  record TooLarge(long bytes, long bytesMax) implements JournalFault {}

  /** More was appended than the disk has taken so far. */
  record Busy(String journal, int bufferBytes, Duration rest) implements JournalFault {}

  /** Bytes that were on the disk are no longer what they were; see {@link Salvage}. */
  record Corrupt(Path file, long offset, String why) implements JournalFault {}

  /** Not damaged: a build that came later may have written it, and none of it was touched. */
  record OtherVersion(Path file, int version, int known) implements JournalFault {}

  /** Records were asked for that have been trimmed. */
  record Trimmed(long from, long first) implements JournalFault {}

  @Override
  default Said said() {
    return switch (this) {
      case Poisoned(var why) ->
          us(
              NO_STATUS,
              "journal-poisoned",
              "a flush failed (" + why + "); the process must restart and read its journal again");
      case Closed(var journal) -> us(NO_STATUS, "journal-closed", journal + " is closed");
      case TooLarge(var bytes, var bytesMax) ->
          caller(
              NO_STATUS,
              "record-too-large",
              bytes + " bytes where the journal takes " + bytesMax + " at a time");
      case Busy(var journal, var bufferBytes, var rest) ->
          us(
                  NO_STATUS,
                  "busy",
                  "the buffer of " + journal + " is full at " + bufferBytes + " bytes")
              .after(rest);
      case Corrupt(var file, var offset, var why) ->
          us(
              NO_STATUS,
              "journal-corrupt",
              "%s is corrupt at byte %d: %s; `ron journal salvage` copies what can be read"
                  .formatted(file, offset, why));
      case OtherVersion(var file, var version, var known) ->
          us(
              NO_STATUS,
              "journal-version",
              "%s is of version %d, known is %d: start it with the build that wrote it"
                  .formatted(file, version, known));
      case Trimmed(var from, var first) ->
          us(
              NO_STATUS,
              "journal-trimmed",
              "record %d was asked for and the oldest here is %d".formatted(from, first));
    };
  }
}
