package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;

/**
 * Lists the queues of an account that begin with a prefix, as far as the caller may see them.
 *
 * <p>Threading: immutable.
 */
public record ListQueues(SqsContext context)
    implements SqsAction<ListQueues.Request, ListQueues.Reply> {
  public record Request(SqsCall call, String prefix, QueuePage.Terms terms) {}

  public record Reply(QueuePage page) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    call.requireBeforehand("topics");
    String prefix = call.tree().text("QueueNamePrefix").orElse("");
    return new Request(call, prefix, QueuePage.terms(call));
  }

  @Override
  public Reply handle(Request request) throws Refusal {
    String siblings = request.call().origin().named("").siblings();
    return new Reply(
        QueuePage.of(
            request.call(),
            request.terms(),
            (after, max) -> context.queues().list(siblings + request.prefix(), after, max)));
  }

  @Override
  public AnswerTree write(Reply reply) {
    return new AnswerTree()
        .text("NextToken", reply.page().next())
        .texts("QueueUrls", reply.page().urls());
  }

  @Override
  public boolean onQueue() {
    return false;
  }
}
