package dev.ron.mailbox.sqs.redrive;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists the latest moves of the messages of a queue.
 *
 * <p>Threading: immutable.
 */
public record ListMessageMoveTasks(SqsContext context)
    implements SqsAction<ListMessageMoveTasks.Request, ListMessageMoveTasks.Reply> {
  public record Request(QueueAddress source, int max) {}

  public record Reply(QueueAddress source, List<MoveTask> tasks) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    return new Request(
        MoveSource.of(call, call.tree().required("SourceArn")),
        call.tree().number("MaxResults", 1, 10, "Must be between 1 and 10.").orElse(1));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    MoveSource.seen(context.queues().find(request.source().topic()));
    List<MoveTask> tasks = MoveSource.seen(context.queues().moves().of(request.source().topic()));
    return new Reply(request.source(), tasks.stream().limit(request.max()).toList());
  }

  @Override
  public AnswerTree write(Reply reply) {
    var results = new ArrayList<AnswerTree>();
    for (MoveTask task : reply.tasks()) {
      results.add(entry(task, reply.source()));
    }
    return new AnswerTree().trees("Results", results);
  }

  private static AnswerTree entry(MoveTask task, QueueAddress source) {
    String handle = new MoveTaskHandle(task.id(), source.arn()).text();
    String destination =
        QueueAddress.ofTopic(task.destination(), source.home()).map(QueueAddress::arn).orElse(null);
    return new AnswerTree()
        .text("TaskHandle", task.running() ? handle : null)
        .text("Status", task.status().name())
        .text("SourceArn", source.arn())
        .text("DestinationArn", destination)
        .number(
            "MaxNumberOfMessagesPerSecond", task.perSecond() == 0 ? null : (long) task.perSecond())
        .number("ApproximateNumberOfMessagesMoved", task.moved())
        .number("ApproximateNumberOfMessagesToMove", task.toMove())
        .text("FailureReason", task.failure().isEmpty() ? null : task.failure())
        .number("StartedTimestamp", task.startedMillis());
  }
}
