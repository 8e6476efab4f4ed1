package dev.ron.mailbox.sqs.redrive;

import dev.ron.http.Refusal;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;

/**
 * The queue whose messages are moved, named by its ARN.
 *
 * <p>Threading: stateless.
 */
final class MoveSource {
  private MoveSource() {}

  static QueueAddress of(SqsCall call, String arn) throws Refusal {
    if (!arn.startsWith("arn:")) {
      throw Refusal.of(
          new SqsFault.InvalidParameterValue(
              "You must use this format to specify the SourceArn:"
                  + " arn:<partition>:<service>:<region>:<account-id>:<resource-id>"));
    }
    QueueAddress queue =
        QueueAddress.ofArn(arn, call.origin().home()).orElseThrow(MoveSource::missing);
    return call.allowed("dlq", queue);
  }

  private static Refusal missing() {
    return Refusal.of(
        new SqsFault.ResourceNotFoundException(
            "The resource that you specified for the SourceArn parameter doesn't exist."));
  }

  /** What the mailbox answers about the source. */
  static <T> T seen(QueryResult<T> result) throws Refusal {
    if (result instanceof QueryResult.Refused<T>(MailboxFault.NoSuchQueue _)) {
      throw missing();
    }
    return SqsContext.seen(result);
  }
}
