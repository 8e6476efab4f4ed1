package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueSettings;
import dev.ron.mailbox.core.queue.RedriveTarget;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.attribute.RedrivePolicy;

/**
 * Whether the queue that a redrive policy names is there and lets itself be named.
 *
 * <p>Threading: stateless.
 */
final class DeadLetterTarget {
  private DeadLetterTarget() {}

  /** A policy sends messages there, which is more than to change the queue that has it. */
  static void requireRight(SqsCall call, QueueSettings settings) throws Refusal {
    RedriveTarget target = settings.redrive();
    if (target != null) {
      QueueAddress address =
          QueueAddress.ofTopic(target.topic(), call.origin().home()).orElseThrow();
      if (!call.may("queues", address)) {
        call.allowed("send", address);
      }
    }
  }

  static void check(SqsContext context, QueueAddress queue, QueueSettings settings)
      throws Refusal, InterruptedException {
    RedriveTarget target = settings.redrive();
    if (target == null || target.topic().equals(queue.topic())) {
      return;
    }
    QueryResult<QueueRecord> found = context.queues().find(target.topic());
    if (found instanceof QueryResult.Refused<QueueRecord>(MailboxFault.NoSuchQueue _)) {
      throw RedrivePolicy.refused(target, queue, "Dead letter target does not exist.");
    }
    if (!SqsContext.seen(found).settings().redriveAllow().allows(queue.topic())) {
      throw RedrivePolicy.refused(
          target,
          queue,
          "Queue %s does not have permission to use it as a dead letter queue."
              .formatted(queue.arn()));
    }
  }
}
