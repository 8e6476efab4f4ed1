package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;

/**
 * Lists the queues whose dead letters go to a queue.
 *
 * <p>Threading: immutable.
 */
public record ListDeadLetterSourceQueues(SqsContext context)
    implements SqsAction<ListDeadLetterSourceQueues.Request, ListDeadLetterSourceQueues.Reply> {
  public record Request(SqsCall call, QueueAddress queue, QueuePage.Terms terms) {}

  public record Reply(QueuePage page) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    return new Request(call, call.queue("topics"), QueuePage.terms(call));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    request.call().record(request.queue());
    return new Reply(
        QueuePage.of(
            request.call(),
            request.terms(),
            (after, max) ->
                context.queues().sources(request.queue().topic()).stream()
                    .filter(source -> source.topic().compareTo(after) > 0)
                    .limit(max)
                    .toList()));
  }

  @Override
  public AnswerTree write(Reply reply) {
    return new AnswerTree()
        .text("NextToken", reply.page().next())
        .texts("queueUrls", reply.page().urls());
  }
}
