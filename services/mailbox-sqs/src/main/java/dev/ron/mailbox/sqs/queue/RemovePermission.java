package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.attribute.QueuePolicy;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import java.util.LinkedHashMap;

/**
 * Takes a permission from the policy of a queue.
 *
 * <p>Threading: immutable.
 */
public record RemovePermission(SqsContext context)
    implements SqsAction<RemovePermission.Request, RemovePermission.Reply> {
  public record Request(QueueAddress queue, String label) {}

  public record Reply() {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    return new Request(call.queue("queues"), call.tree().required("Label"));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    QueueChange.run(
        context,
        request.queue(),
        record -> {
          var opaque = new LinkedHashMap<>(record.opaque());
          String policy = opaque.getOrDefault(QueuePolicy.NAME, "");
          opaque.remove(QueuePolicy.NAME);
          QueuePolicy.without(policy, request.label())
              .ifPresent(left -> opaque.put(QueuePolicy.NAME, left));
          return record.withOpaque(opaque);
        });
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
