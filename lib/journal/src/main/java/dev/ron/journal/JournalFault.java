package dev.ron.journal;

import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** What a journal can refuse or find wrong, in order of precedence. */
public sealed interface JournalFault extends Fault {
  /**
   * A flush failed, so nobody knows what is on the disk.
   *
   * <p>The operating system drops what it could not write and reports that once; the next flush
   * would succeed without those bytes. Only reading everything again tells, so: restart.
   */
  record Poisoned(String why) implements JournalFault {
    @Override
    public String code() {
      return "journal-poisoned";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public String detail() {
      return "a flush failed (" + why + "); the process must restart and read its journal again";
    }
  }

  /** The journal takes nothing any more. */
  record Closed(String journal) implements JournalFault {
    @Override
    public String code() {
      return "journal-closed";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public String detail() {
      return journal + " is closed";
    }
  }

  /** A record that no buffer will ever hold. */
  record TooLarge(long bytes, long bytesMax) implements JournalFault {
    @Override
    public String code() {
      return "record-too-large";
    }

    @Override
    public Blame blame() {
      return Blame.CALLER;
    }

    @Override
    public String detail() {
      return "%d bytes where the journal takes %d at a time".formatted(bytes, bytesMax);
    }
  }

  /** More was appended than the disk has taken so far. */
  record Busy(String journal, int bufferBytes, Duration rest) implements JournalFault {
    @Override
    public String code() {
      return "busy";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public String detail() {
      return "the buffer of %s is full at %d bytes".formatted(journal, bufferBytes);
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(rest);
    }
  }

  /** Bytes that were on the disk are no longer what they were; see {@link Salvage}. */
  record Corrupt(Path file, long offset, String why) implements JournalFault {
    @Override
    public String code() {
      return "journal-corrupt";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public String detail() {
      return "%s is corrupt at byte %d: %s; salvage copies what can be read"
          .formatted(file, offset, why);
    }
  }

  /** Records were asked for that have been trimmed. */
  record Trimmed(long from, long first) implements JournalFault {
    @Override
    public String code() {
      return "journal-trimmed";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public String detail() {
      return "record %d was asked for and the oldest here is %d".formatted(from, first);
    }
  }
}
