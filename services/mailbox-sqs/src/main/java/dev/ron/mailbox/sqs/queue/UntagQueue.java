package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Takes tags from a queue.
 *
 * <p>Threading: immutable.
 */
public record UntagQueue(SqsContext context)
    implements SqsAction<UntagQueue.Request, UntagQueue.Reply> {
  public record Request(QueueAddress queue, List<String> keys) {}

  public record Reply() {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    return new Request(call.queue("queues"), call.tree().texts("TagKeys"));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    QueueChange.run(
        context,
        request.queue(),
        record -> {
          var tags = new LinkedHashMap<>(record.tags());
          tags.keySet().removeAll(request.keys());
          return record.withTags(tags);
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
