package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsContext;
import java.io.UncheckedIOException;

/**
 * A change of a queue that may be refused when it sees how the queue is now.
 *
 * <p>Threading: stateless.
 */
@FunctionalInterface
interface QueueChange {
  QueueRecord apply(QueueRecord now) throws Refusal;

  static void run(SqsContext context, QueueAddress queue, QueueChange change)
      throws Refusal, InterruptedException {
    try {
      SqsContext.seen(context.queues().change(queue.topic(), now -> applied(change, now)));
    } catch (UncheckedIOException wrapped) {
      if (wrapped.getCause() instanceof Refusal refusal) {
        throw refusal;
      }
      throw wrapped;
    }
  }

  private static QueueRecord applied(QueueChange change, QueueRecord now) {
    try {
      return change.apply(now);
    } catch (Refusal refusal) {
      throw new UncheckedIOException(refusal);
    }
  }
}
