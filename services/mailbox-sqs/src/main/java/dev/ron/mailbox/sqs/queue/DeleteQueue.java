package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;

/**
 * Deletes a queue with all its messages.
 *
 * <p>Threading: immutable.
 */
public record DeleteQueue(SqsContext context)
    implements SqsAction<DeleteQueue.Request, DeleteQueue.Reply> {
  public record Request(QueueAddress queue) {}

  public record Reply() {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    return new Request(call.queue("queues"));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    SqsContext.seen(context.queues().delete(request.queue().topic()));
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
