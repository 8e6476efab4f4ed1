package dev.ron.mailbox.sqs.message;

import dev.ron.http.Refusal;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.queue.QueueRefusal;
import dev.ron.mailbox.queue.QueueSettle;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.ReceiptHandles;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.RequestTree;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A consumer's word about one message, by the handle that it was given.
 *
 * <p>On a standard queue every handle ever given for a message is good: a delete that comes late
 * still deletes. On a FIFO queue only that of the lease is.
 *
 * <p>Threading: immutable.
 *
 * @param handle as it was shown
 */
record MessageClaim(String handle, QueueSettle settle) {
  private static final String PARAMETER = "ReceiptHandle";

  /**
   * @param visibilitySeconds null deletes
   */
  static MessageClaim parse(
      SqsCall call, RequestTree tree, QueueAddress queue, @Nullable Integer visibilitySeconds)
      throws Refusal, InterruptedException {
    String text = tree.required(PARAMETER);
    Optional<ReceiptHandles.Handle> read = call.context().handles().read(queue.topic(), text);
    if (read.isEmpty()) {
      // That there is no such queue comes first, and is asked only for a handle that is none.
      var _ = call.record(queue);
      throw Refusal.of(new SqsFault.ReceiptHandleIsInvalid(text));
    }
    ReceiptHandles.Handle handle = read.get();
    Receipt receipt = queue.fifo() ? handle.receipt() : null;
    return new MessageClaim(
        text,
        visibilitySeconds == null
            ? QueueSettle.delete(handle.id(), receipt)
            : QueueSettle.visibility(handle.id(), receipt, visibilitySeconds));
  }

  /** Says it; a refusal if it does not count. */
  void run(SqsContext context, QueueAddress queue) throws Refusal, InterruptedException {
    Outcome outcome = context.queues().settle(queue.topic(), List.of(settle)).getFirst();
    Optional<SqsFault> fault = fault(outcome);
    if (fault.isPresent()) {
      throw Refusal.of(fault.get());
    }
  }

  /** What became of it; a message that is gone counts as deleted. */
  Optional<SqsFault> fault(Outcome outcome) throws Refusal {
    boolean deletes = settle.visibilitySeconds() == null;
    if (!(outcome instanceof Outcome.Refused refused)) {
      return Optional.empty();
    }
    MailboxFault fault = refused.fault();
    return switch (fault) {
      case MailboxFault.UnknownMessage _ ->
          deletes
              ? Optional.empty()
              : Optional.of(
                  invalid(
                      "Message does not exist or is not available for visibility timeout change."));
      case MailboxFault.ReceiptExpired _ ->
          Optional.of(
              invalid(
                  deletes
                      ? "The receipt handle has expired."
                      : "Message does not exist or is not available for visibility timeout"
                          + " change."));
      case MailboxFault.QueueRefused(QueueRefusal why, _)
          when why == QueueRefusal.VISIBILITY_TOO_LONG ->
          Optional.of(
              new SqsFault.InvalidParameterValue(
                  "Value %d for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds]."
                      .formatted(settle.visibilitySeconds())));
      default -> throw Refusal.of(fault);
    };
  }

  private SqsFault invalid(String reason) {
    return new SqsFault.InvalidParameterValue(
        "Value %s for parameter ReceiptHandle is invalid. Reason: %s".formatted(handle, reason));
  }
}
