package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import java.util.Map;

/**
 * Shows the tags of a queue.
 *
 * <p>Threading: immutable.
 */
public record ListQueueTags(SqsContext context)
    implements SqsAction<ListQueueTags.Request, ListQueueTags.Reply> {
  public record Request(SqsCall call, QueueAddress queue) {}

  public record Reply(Map<String, String> tags) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    return new Request(call, call.queue("topics"));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    return new Reply(request.call().record(request.queue()).tags());
  }

  @Override
  public AnswerTree write(Reply reply) {
    return new AnswerTree().textMap("Tags", reply.tags());
  }
}
