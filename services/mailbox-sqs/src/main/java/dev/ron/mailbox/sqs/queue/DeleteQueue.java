package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SilentAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;

/**
 * Deletes a queue with all its messages.
 *
 * <p>Threading: immutable.
 */
public record DeleteQueue(SqsContext context) implements SilentAction<DeleteQueue.Request> {
  public record Request(QueueAddress queue) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    return new Request(call.queue("queues"));
  }

  @Override
  public Done handle(Request request) throws Refusal, InterruptedException {
    SqsContext.seen(context.queues().delete(request.queue().topic()));
    return new Done();
  }
}
