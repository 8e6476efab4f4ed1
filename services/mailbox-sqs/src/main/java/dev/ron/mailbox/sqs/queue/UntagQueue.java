package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SilentAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Takes tags from a queue.
 *
 * <p>Threading: immutable.
 */
public record UntagQueue(SqsContext context) implements SilentAction<UntagQueue.Request> {
  public record Request(QueueAddress queue, List<String> keys) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    QueueAddress queue = call.queue("queues");
    List<String> keys = call.tree().texts("TagKeys");
    if (keys.isEmpty()) {
      throw QueueTags.wrongKey();
    }
    return new Request(queue, keys);
  }

  @Override
  public Done handle(Request request) throws Refusal, InterruptedException {
    QueueChange.run(
        context,
        request.queue(),
        record -> {
          var tags = new LinkedHashMap<>(record.tags());
          tags.keySet().removeAll(request.keys());
          return record.withTags(tags);
        });
    return new Done();
  }
}
