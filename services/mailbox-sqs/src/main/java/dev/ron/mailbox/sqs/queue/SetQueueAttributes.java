package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.attribute.QueueAttributes;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import java.util.Map;

/**
 * Changes attributes of a queue.
 *
 * <p>Threading: immutable.
 */
public record SetQueueAttributes(SqsContext context)
    implements SqsAction<SetQueueAttributes.Request, SetQueueAttributes.Reply> {
  public record Request(QueueAddress queue, Map<String, String> attributes) {}

  public record Reply() {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    QueueAddress queue = call.queue("queues");
    if (!call.tree().has("Attributes")) {
      throw Refusal.of(new SqsFault.MissingParameter("Attribute.Name"));
    }
    return new Request(queue, call.tree().textMap("Attributes"));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
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
