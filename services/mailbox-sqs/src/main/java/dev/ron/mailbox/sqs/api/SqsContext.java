package dev.ron.mailbox.sqs.api;

import dev.ron.http.Refusal;
import dev.ron.kernel.time.Time;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.queue.Queues;
import dev.ron.mailbox.sqs.MailboxSqsConfig;
import dev.ron.mailbox.sqs.MailboxSqsMetrics;
import dev.ron.mailbox.sqs.protocol.SqsErrorFormat;

/**
 * What every action works with.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public record SqsContext(
    MailboxSqsConfig config,
    Queues queues,
    ReceiptHandles handles,
    MailboxSqsMetrics metrics,
    Time time) {
  /** What the mailbox answers; a fault is thrown, as this door words it. */
  public static <T> T seen(QueryResult<T> result) throws Refusal {
    return switch (result) {
      case QueryResult.Seen<T>(T value) -> value;
      case QueryResult.Refused<T>(MailboxFault fault) ->
          throw Refusal.of(SqsErrorFormat.fault(fault));
    };
  }
}
