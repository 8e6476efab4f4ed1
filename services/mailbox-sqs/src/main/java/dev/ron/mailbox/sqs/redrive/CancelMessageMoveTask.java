package dev.ron.mailbox.sqs.redrive;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;

/**
 * Ends a move where it is.
 *
 * <p>Threading: immutable.
 */
public record CancelMessageMoveTask(SqsContext context)
    implements SqsAction<CancelMessageMoveTask.Request, CancelMessageMoveTask.Reply> {
  public record Request(QueueAddress source, String id) {}

  public record Reply(MoveTask task) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    MoveTaskHandle handle =
        MoveTaskHandle.read(call.tree().required("TaskHandle"))
            .orElseThrow(
                () ->
                    Refusal.of(
                        new SqsFault.InvalidParameterValue(
                            "Value for parameter TaskHandle is invalid.")));
    return new Request(MoveSource.of(call, handle.sourceArn()), handle.taskId());
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    String topic = request.source().topic();
    MoveSource.seen(context.queues().find(topic));
    return new Reply(MoveSource.seen(context.queues().moves().cancel(topic, request.id())));
  }

  @Override
  public AnswerTree write(Reply reply) {
    return new AnswerTree().number("ApproximateNumberOfMessagesMoved", reply.task().moved());
  }
}
