package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Adds tags to a queue.
 *
 * <p>Threading: immutable.
 */
public record TagQueue(SqsContext context) implements SqsAction<TagQueue.Request, TagQueue.Reply> {
  public record Request(QueueAddress queue, Map<String, String> tags) {}

  public record Reply() {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    return new Request(call.queue("queues"), call.tree().textMap("Tags"));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    QueueChange.run(
        context,
        request.queue(),
        record -> {
          var tags = new LinkedHashMap<>(record.tags());
          tags.putAll(request.tags());
          QueueTags.check(tags);
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
