package dev.ron.mailbox.sqs.message;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SilentAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;

/**
 * Deletes a message; answered when the disk has it.
 *
 * <p>Threading: immutable.
 */
public record DeleteMessage(SqsContext context) implements SilentAction<DeleteMessage.Request> {
  public record Request(QueueAddress queue, MessageClaim claim) {}

  @Override
  public Request parse(SqsCall call) throws Refusal, InterruptedException {
    QueueAddress queue = call.queue("ack");
    return new Request(queue, MessageClaim.parse(call, call.tree(), queue, null));
  }

  @Override
  public Done handle(Request request) throws Refusal, InterruptedException {
    request.claim().run(context, request.queue());
    context.metrics().deleted().inc();
    return new Done();
  }
}
