package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import java.util.Optional;

/**
 * Finds the URL of a queue by its name.
 *
 * <p>Threading: immutable.
 */
public record GetQueueUrl(SqsContext context)
    implements SqsAction<GetQueueUrl.Request, GetQueueUrl.Reply> {
  public record Request(SqsCall call, QueueAddress queue) {}

  public record Reply(QueueAddress queue, String base) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    String name = call.tree().required("QueueName");
    QueueAddress own = call.origin().named(name);
    Optional<String> owner = call.tree().text("QueueOwnerAWSAccountId").filter(id -> !id.isEmpty());
    QueueAddress queue =
        owner.isEmpty() ? own : new QueueAddress(owner.get(), own.region(), name, own.home());
    if (!QueueAddress.isName(name) || !QueueAddress.isAccount(queue.account())) {
      throw Refusal.of(new SqsFault.QueueDoesNotExist());
    }
    return new Request(call, call.allowed("topics", queue));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    request.call().record(request.queue());
    return new Reply(request.queue(), request.call().base());
  }

  @Override
  public AnswerTree write(Reply reply) {
    return new AnswerTree().text("QueueUrl", reply.queue().url(reply.base()));
  }
}
