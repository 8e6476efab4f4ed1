package dev.ron.mailbox;

import static dev.ron.kernel.fault.Said.caller;
import static dev.ron.kernel.fault.Said.us;

import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;
import dev.ron.kernel.tenant.TenantFault;
import dev.ron.mailbox.core.queue.QueueRefusal;
import java.time.Duration;
import java.util.Map;

/** What the mailbox refuses or fails, in order of precedence: the first that applies is told. */
public sealed interface MailboxFault extends Fault {
  /** The request is not in the form it must have; the detail names the field. */
  record Schema(String detail) implements MailboxFault {}

  /** No capability, or one that is worth nothing now. */
  record CapAuth(String detail) implements MailboxFault {}

  /** A good capability, but not for this. */
  record CapScope(String detail) implements MailboxFault {}

  /** No such message here: it never was, or it ended too long ago to be remembered. */
  record UnknownMessage(String msgId) implements MailboxFault {}

  /** The key was used before and the caller wants to be told by a refusal. */
  record Duplicate(String msgId) implements MailboxFault {}

  /** The message is no longer in flight under this receipt. */
  record ReceiptExpired(String msgId) implements MailboxFault {}

  /** The key was used before with another payload. */
  record IdemMismatch(String msgId) implements MailboxFault {}

  /** A payload or batch past its limit. */
  record FrameTooLarge(String what, long bytes, long bytesMax) implements MailboxFault {}

  /** No such queue is here, and none is made by asking for it. */
  record NoSuchQueue(String topic) implements MailboxFault {}

  /** The queue is there and will not do that now. */
  record QueueRefused(QueueRefusal why, String detail) implements MailboxFault {}

  /** The payload does not have the hash that was given with it. */
  record Integrity(String detail) implements MailboxFault {}

  /** A bound was reached; nothing was taken. */
  record Saturated(String what, long limit, Duration rest) implements MailboxFault {}

  /** The tenant whose topic it is has as much here as it may. */
  record OverQueued(TenantFault over) implements MailboxFault {
    @Override
    public Map<String, String> members() {
      return over.members();
    }
  }

  /** The journal or the shard cannot say what became of the request. */
  record Unavailable(String detail) implements MailboxFault {
    /** A supervisor's first restart and a replay of a small journal fit in this. */
    private static final Duration REST = Duration.ofSeconds(2);
  }

  @Override
  default Said said() {
    return switch (this) {
      case Schema(var detail) -> caller(400, "schema", detail);
      case CapAuth(var detail) -> caller(401, "cap-auth", detail);
      case CapScope(var detail) -> caller(403, "cap-scope", detail);
      case UnknownMessage(var msgId) ->
          caller(
              404, "unknown-message", "no message " + msgId + " is ready, in flight or dead here");
      case Duplicate(var msgId) ->
          caller(409, "duplicate", "the idem_key was sent before as message " + msgId);
      case ReceiptExpired(var msgId) ->
          caller(
              409,
              "receipt-expired",
              "message "
                  + msgId
                  + " is not in flight under this receipt; receive it again before you settle it");
      case IdemMismatch(var msgId) ->
          caller(
              409,
              "idem-mismatch",
              "the idem_key was sent before with other bytes, as message " + msgId);
      case FrameTooLarge(var what, var bytes, var bytesMax) ->
          caller(
              413,
              "frame-too-large",
              what + " has " + bytes + " bytes where " + bytesMax + " are taken");
      case NoSuchQueue(var topic) -> caller(404, "no-such-queue", "there is no queue " + topic);
      case QueueRefused(var why, var detail) -> caller(409, "queue-refused", why + ": " + detail);
      case Integrity(var detail) -> caller(422, "integrity", detail);
      case Saturated(var what, var limit, var rest) ->
          us(
                  429,
                  "saturated",
                  what + " is at its limit of " + limit + "; retry after the time given")
              .after(rest);
      case OverQueued(var over) -> over.said();
      case Unavailable(var detail) -> us(503, "unavailable", detail).after(Unavailable.REST);
    };
  }
}
