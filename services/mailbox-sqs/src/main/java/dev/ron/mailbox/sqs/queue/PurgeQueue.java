package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SilentAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;

/**
 * Lets all messages of a queue go, those in flight and delayed included; once a minute.
 *
 * <p>Threading: immutable.
 */
public record PurgeQueue(SqsContext context) implements SilentAction<PurgeQueue.Request> {
  public record Request(QueueAddress queue) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    return new Request(call.queue("queues"));
  }

  @Override
  public Done handle(Request request) throws Refusal, InterruptedException {
    SqsContext.seen(context.queues().purge(request.queue().topic()));
    return new Done();
  }
}
