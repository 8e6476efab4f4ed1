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
 * Begins to move the messages of a dead-letter queue: each to where it came from, or all to one
 * queue.
 *
 * <p>Threading: immutable.
 */
public record StartMessageMoveTask(SqsContext context)
    implements SqsAction<StartMessageMoveTask.Request, StartMessageMoveTask.Reply> {
  public record Request(QueueAddress source, String destination, int perSecond) {}

  public record Reply(QueueAddress source, MoveTask task) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    QueueAddress source = MoveSource.of(call, call.tree().required("SourceArn"));
    String arn = call.tree().text("DestinationArn").orElse("");
    int perSecond =
        call.tree()
            .number("MaxNumberOfMessagesPerSecond", 1, 500, "Must be between 1 and 500.")
            .orElse(0);
    return new Request(source, arn.isEmpty() ? "" : destination(call, arn, source), perSecond);
  }

  private static String destination(SqsCall call, String arn, QueueAddress source) throws Refusal {
    QueueAddress queue =
        QueueAddress.ofArn(arn, call.origin().home())
            .orElseThrow(
                () ->
                    Refusal.of(
                        new SqsFault.ResourceNotFoundException(
                            "The resource that you specified for the DestinationArn parameter"
                                + " doesn't exist.")));
    if (queue.fifo() != source.fifo()) {
      throw Refusal.of(
          new SqsFault.InvalidParameterValue(
              "The source and the destination must be queues of the same type."));
    }
    return call.allowed("dlq", queue).topic();
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    MoveTask task =
        MoveSource.seen(
            context
                .queues()
                .moves()
                .start(request.source().topic(), request.destination(), request.perSecond()));
    return new Reply(request.source(), task);
  }

  @Override
  public AnswerTree write(Reply reply) {
    return new AnswerTree()
        .text("TaskHandle", new MoveTaskHandle(reply.task().id(), reply.source().arn()).text());
  }
}
