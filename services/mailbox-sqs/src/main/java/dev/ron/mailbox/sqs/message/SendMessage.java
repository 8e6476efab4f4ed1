package dev.ron.mailbox.sqs.message;

import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.queue.QueueSend;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import java.util.List;

/**
 * Sends a message; answered when the disk has it.
 *
 * <p>Threading: immutable.
 */
public record SendMessage(SqsContext context)
    implements SqsAction<SendMessage.Request, SendMessage.Reply> {
  /** The message as it was given, and as it is sent. */
  public record Request(QueueAddress queue, OutgoingMessage message, QueueSend send) {}

  /** The id of the message, or of the one that it repeats. */
  public record Reply(Request request, Ulid id) {}

  @Override
  public Request parse(SqsCall call) throws Exception {
    QueueAddress address = call.queue("send");
    OutgoingMessage message = OutgoingMessage.parse(call, call.tree(), "");
    QueueRecord known = call.known(address);
    QueueRecord queue = OutgoingMessage.queue(call, address, known, List.of(message));
    message.check(queue);
    message.checkSize(queue);
    return new Request(address, message, message.send(call, queue));
  }

  @Override
  public Reply handle(Request request) throws Exception {
    Outcome outcome =
        context.queues().send(request.queue().topic(), List.of(request.send())).getFirst();
    Ulid id = OutgoingMessage.taken(outcome);
    context.metrics().sent().inc();
    return new Reply(request, id);
  }

  @Override
  public AnswerTree write(Reply reply) {
    return reply.request().message().write(reply.id(), reply.request().queue());
  }
}
