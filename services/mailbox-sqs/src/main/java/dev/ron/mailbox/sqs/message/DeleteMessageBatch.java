package dev.ron.mailbox.sqs.message;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import dev.ron.mailbox.sqs.protocol.RequestTree;
import java.util.List;
import java.util.Map;

/**
 * Deletes up to ten messages; each by itself.
 *
 * <p>Threading: immutable.
 */
public record DeleteMessageBatch(SqsContext context)
    implements SqsAction<DeleteMessageBatch.Request, DeleteMessageBatch.Reply> {
  public record Request(ClaimBatch batch) {}

  public record Reply(ClaimBatch batch, List<String> done) {}

  @Override
  public Request parse(SqsCall call) throws Refusal, InterruptedException {
    QueueAddress queue = call.queue("ack");
    Map<String, RequestTree> entries = BatchEntries.of(call, "DeleteMessageBatchRequestEntry");
    var batch = new ClaimBatch(queue);
    for (Map.Entry<String, RequestTree> each : entries.entrySet()) {
      batch.add(each.getKey(), () -> MessageClaim.parse(call, each.getValue(), queue, null));
    }
    return new Request(batch);
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    List<String> done = request.batch().run(context);
    context.metrics().deleted().inc(done.size());
    return new Reply(request.batch(), done);
  }

  @Override
  public AnswerTree write(Reply reply) {
    return reply.batch().write(reply.done());
  }
}
