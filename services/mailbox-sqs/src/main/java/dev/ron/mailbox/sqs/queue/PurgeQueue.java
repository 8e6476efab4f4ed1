package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;

/**
 * Lets all messages of a queue go, those in flight and delayed included; once a minute.
 *
 * <p>Threading: immutable.
 */
public record PurgeQueue(SqsContext context)
    implements SqsAction<PurgeQueue.Request, PurgeQueue.Reply> {
  public record Request(QueueAddress queue) {}

  public record Reply() {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    return new Request(call.queue("queues"));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    SqsContext.seen(context.queues().purge(request.queue().topic()));
    return new Reply();
  }

  @Override
  public AnswerTree write(Reply reply) {
    return new AnswerTree();
  }

  @Override
  public boolean hasResult() {
    return false;
  }
}
