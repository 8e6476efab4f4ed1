package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SilentAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.attribute.QueuePolicy;
import java.util.LinkedHashMap;

/**
 * Takes a permission from the policy of a queue.
 *
 * <p>Threading: immutable.
 */
public record RemovePermission(SqsContext context)
    implements SilentAction<RemovePermission.Request> {
  public record Request(QueueAddress queue, String label) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    return new Request(call.queue("queues"), call.tree().required("Label"));
  }

  @Override
  public Done handle(Request request) throws Refusal, InterruptedException {
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
    return new Done();
  }
}
