package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.queue.QueueCounts;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.attribute.QueueAttributes;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import java.util.List;
import java.util.Map;

/**
 * Shows the attributes of a queue that are asked for, by name or all.
 *
 * <p>Threading: immutable.
 */
public record GetQueueAttributes(SqsContext context)
    implements SqsAction<GetQueueAttributes.Request, GetQueueAttributes.Reply> {
  public record Request(QueueAddress queue, List<String> names) {}

  public record Reply(Map<String, String> attributes) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    return new Request(call.queue("topics"), call.tree().texts("AttributeNames"));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    String topic = request.queue().topic();
    QueueRecord record = SqsContext.seen(context.queues().find(topic));
    boolean counted =
        request.names().stream()
            .anyMatch(name -> name.equals("All") || name.startsWith("Approximate"));
    QueueCounts counts =
        counted ? SqsContext.seen(context.queues().counts(topic)) : QueueCounts.NONE;
    return new Reply(QueueAttributes.shown(record, counts, request.queue(), request.names()));
  }

  @Override
  public AnswerTree write(Reply reply) {
    return new AnswerTree().textMap("Attributes", reply.attributes());
  }
}
