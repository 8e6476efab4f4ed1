package dev.ron.mailbox;

import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;
import java.time.Duration;
import java.util.Optional;

/** What the mailbox refuses or fails, in order of precedence: the first that applies is told. */
public sealed interface MailboxFault extends Fault {
  @Override
  default Blame blame() {
    return Blame.CALLER;
  }

  /** The request is not in the form it must have; the detail names the field. */
  record Schema(String detail) implements MailboxFault {
    @Override
    public String code() {
      return "schema";
    }
  }

  /** No capability, or one that is worth nothing now. */
  record CapAuth(String detail) implements MailboxFault {
    @Override
    public String code() {
      return "cap-auth";
    }
  }

  /** A good capability, but not for this. */
  record CapScope(String detail) implements MailboxFault {
    @Override
    public String code() {
      return "cap-scope";
    }
  }

  /** No such message here: it never was, or it ended too long ago to be remembered. */
  record UnknownMessage(String msgId) implements MailboxFault {
    @Override
    public String code() {
      return "unknown-message";
    }

    @Override
    public String detail() {
      return "no message " + msgId + " is ready, in flight or dead here";
    }
  }

  /** The key was used before and the caller wants to be told by a refusal. */
  record Duplicate(String msgId) implements MailboxFault {
    @Override
    public String code() {
      return "duplicate";
    }

    @Override
    public String detail() {
      return "the idem_key was sent before as message " + msgId;
    }
  }

  /** The message is no longer in the hands of whoever has this receipt. */
  record ReceiptExpired(String msgId) implements MailboxFault {
    @Override
    public String code() {
      return "receipt-expired";
    }

    @Override
    public String detail() {
      return "message "
          + msgId
          + " is not in flight under this receipt; receive it again before you settle it";
    }
  }

  /** The key was used before with another payload. */
  record IdemMismatch(String msgId) implements MailboxFault {
    @Override
    public String code() {
      return "idem-mismatch";
    }

    @Override
    public String detail() {
      return "the idem_key was sent before with other bytes, as message " + msgId;
    }
  }

  /** A payload or batch past its limit. */
  record FrameTooLarge(String what, long bytes, long bytesMax) implements MailboxFault {
    @Override
    public String code() {
      return "frame-too-large";
    }

    @Override
    public String detail() {
      return "%s has %d bytes where %d are taken".formatted(what, bytes, bytesMax);
    }
  }

  /** The payload does not have the hash that was given with it. */
  record Integrity(String detail) implements MailboxFault {
    @Override
    public String code() {
      return "integrity";
    }
  }

  /** A bound was reached; nothing was taken. */
  record Saturated(String what, long limit, Duration rest) implements MailboxFault {
    @Override
    public String code() {
      return "saturated";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public String detail() {
      return "%s is at its limit of %d; retry after the time given".formatted(what, limit);
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(rest);
    }
  }

  /** The journal or the shard cannot say what became of the request. */
  record Unavailable(String detail) implements MailboxFault {
    /** A supervisor's first restart and a replay of a small journal fit in this. */
    private static final Duration REST = Duration.ofSeconds(2);

    @Override
    public String code() {
      return "unavailable";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(REST);
    }
  }
}
