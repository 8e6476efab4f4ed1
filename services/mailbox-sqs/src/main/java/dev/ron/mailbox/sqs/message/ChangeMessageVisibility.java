package dev.ron.mailbox.sqs.message;

import dev.ron.http.Refusal;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SilentAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.RequestTree;

/**
 * Sets when a message that was received comes back, counted from now; zero gives it back at once.
 *
 * <p>Threading: immutable.
 */
public record ChangeMessageVisibility(SqsContext context)
    implements SilentAction<ChangeMessageVisibility.Request> {
  private static final String PARAMETER = "VisibilityTimeout";

  public record Request(QueueAddress queue, MessageClaim claim) {}

  @Override
  public Request parse(SqsCall call) throws Refusal, InterruptedException {
    int seconds = seconds(call.tree());
    QueueAddress queue = call.queue(op(seconds));
    return new Request(queue, MessageClaim.parse(call, call.tree(), queue, seconds));
  }

  static int seconds(RequestTree tree) throws Refusal {
    return tree.number(PARAMETER, 0, 43_200, "Must be between 0 and 43200, if provided.")
        .orElseThrow(() -> Refusal.of(new SqsFault.MissingParameter(PARAMETER)));
  }

  /** To give a message back is another right than to keep it longer. */
  static String op(int seconds) {
    return seconds == 0 ? "nack" : "extend";
  }

  @Override
  public Done handle(Request request) throws Refusal, InterruptedException {
    request.claim().run(context, request.queue());
    return new Done();
  }
}
