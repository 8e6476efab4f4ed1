package dev.ron.mailbox.sqs.message;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import java.util.List;
import java.util.Optional;

/**
 * Deletes a message; answered when the disk has it.
 *
 * <p>Threading: immutable.
 */
public record DeleteMessage(SqsContext context)
    implements SqsAction<DeleteMessage.Request, DeleteMessage.Reply> {
  public record Request(QueueAddress queue, MessageClaim claim) {}

  public record Reply() {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    QueueAddress queue = call.queue("ack");
    return new Request(queue, MessageClaim.parse(call, call.tree(), queue, null));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    Outcome outcome =
        context
            .queues()
            .settle(request.queue().topic(), List.of(request.claim().settle()))
            .getFirst();
    Optional<SqsFault> fault = request.claim().fault(outcome);
    if (fault.isPresent()) {
      throw Refusal.of(fault.get());
    }
    context.metrics().deleted().inc();
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
