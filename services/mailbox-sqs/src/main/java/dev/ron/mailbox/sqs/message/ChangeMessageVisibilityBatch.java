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
 * Sets when up to ten messages come back; each by itself.
 *
 * <p>Threading: immutable.
 */
public record ChangeMessageVisibilityBatch(SqsContext context)
    implements SqsAction<ChangeMessageVisibilityBatch.Request, ChangeMessageVisibilityBatch.Reply> {
  public record Request(ClaimBatch batch) {}

  public record Reply(ClaimBatch batch, List<String> done) {}

  @Override
  public Request parse(SqsCall call) throws Refusal, InterruptedException {
    QueueAddress queue = call.address();
    if (!call.may("nack", queue)) {
      call.allowed("extend", queue);
    }
    Map<String, RequestTree> entries =
        BatchEntries.of(call, "ChangeMessageVisibilityBatchRequestEntry");
    var batch = new ClaimBatch(queue);
    for (Map.Entry<String, RequestTree> each : entries.entrySet()) {
      batch.add(each.getKey(), () -> parsed(call, each.getValue(), queue));
    }
    return new Request(batch);
  }

  private static MessageClaim parsed(SqsCall call, RequestTree tree, QueueAddress queue)
      throws Refusal, InterruptedException {
    int seconds = ChangeMessageVisibility.seconds(tree);
    call.allowed(ChangeMessageVisibility.op(seconds), queue);
    return MessageClaim.parse(call, tree, queue, seconds);
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    List<String> done = request.batch().run(context);
    return new Reply(request.batch(), done);
  }

  @Override
  public AnswerTree write(Reply reply) {
    return reply.batch().write(reply.done());
  }
}
