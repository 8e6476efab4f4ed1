package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SilentAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.attribute.QueueAttributes;
import java.util.Map;

/**
 * Changes attributes of a queue.
 *
 * <p>Threading: immutable.
 */
public record SetQueueAttributes(SqsContext context)
    implements SilentAction<SetQueueAttributes.Request> {
  public record Request(QueueAddress queue, Map<String, String> attributes) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    QueueAddress queue = call.queue("queues");
    if (!call.tree().has("Attributes")) {
      throw Refusal.of(new SqsFault.MissingParameter("Attribute.Name"));
    }
    Map<String, String> attributes = call.tree().textMap("Attributes");
    QueueAttributes given = QueueAttributes.defaults().with(attributes, queue);
    DeadLetterTarget.requireRight(call, given.settings());
    return new Request(queue, attributes);
  }

  @Override
  public Done handle(Request request) throws Refusal, InterruptedException {
    QueueAddress queue = request.queue();
    if (request.attributes().containsKey("RedrivePolicy")) {
      QueueRecord now = SqsContext.seen(context.queues().find(queue.topic()));
      QueueAttributes next = QueueAttributes.of(now).with(request.attributes(), queue);
      DeadLetterTarget.check(context, queue, next.settings());
    }
    QueueChange.run(
        context,
        queue,
        record -> {
          QueueAttributes all = QueueAttributes.of(record).with(request.attributes(), queue);
          return record.with(all.settings()).withOpaque(all.opaque());
        });
    return new Done();
  }
}
