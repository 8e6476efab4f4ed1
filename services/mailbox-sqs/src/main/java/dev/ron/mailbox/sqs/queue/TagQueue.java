package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SilentAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Adds tags to a queue.
 *
 * <p>Threading: immutable.
 */
public record TagQueue(SqsContext context) implements SilentAction<TagQueue.Request> {
  public record Request(QueueAddress queue, Map<String, String> tags) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    QueueAddress queue = call.queue("queues");
    Map<String, String> tags = call.tree().textMap("Tags");
    if (tags.isEmpty()) {
      throw Refusal.of(new SqsFault.MissingParameter("Tags"));
    }
    return new Request(queue, tags);
  }

  @Override
  public Done handle(Request request) throws Refusal, InterruptedException {
    QueueChange.run(
        context,
        request.queue(),
        record -> {
          var tags = new LinkedHashMap<>(record.tags());
          tags.putAll(request.tags());
          QueueTags.check(tags, request.queue());
          return record.withTags(tags);
        });
    return new Done();
  }
}
