package dev.ron.mailbox.sqs.message;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.PeekedMessage;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import java.util.ArrayList;
import java.util.List;

/**
 * Shows messages of a queue in the order they were sent, without receiving them.
 *
 * <p>Not an action of the model: what {@code /_aws/sqs/messages} answers. The handles that it shows
 * are good for nothing.
 *
 * <p>Threading: immutable.
 */
public record PeekMessages(SqsContext context)
    implements SqsAction<PeekMessages.Request, PeekMessages.Reply> {
  private static final int MAX = 1000;
  private static final String NO_HANDLE = "SQS/BACKDOOR/ACCESS";

  /**
   * @param invisible whether messages in flight are shown too
   * @param delayed whether those are shown that are not yet ready
   */
  public record Request(QueueAddress queue, boolean invisible, boolean delayed) {}

  public record Reply(Request request, List<PeekedMessage> messages) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    return new Request(call.queue("recv"), flag(call, "ShowInvisible"), flag(call, "ShowDelayed"));
  }

  private static boolean flag(SqsCall call, String name) throws Refusal {
    return call.tree().text(name).orElse("").equalsIgnoreCase("true");
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    return new Reply(request, SqsContext.seen(context.queues().peek(request.queue().topic(), MAX)));
  }

  @Override
  public AnswerTree write(Reply reply) {
    Request request = reply.request();
    var messages = new ArrayList<AnswerTree>();
    for (PeekedMessage message : reply.messages()) {
      boolean shown =
          switch (message.state()) {
            case "delayed" -> request.delayed();
            case "in-flight" -> request.invisible();
            default -> true;
          };
      if (shown) {
        messages.add(
            new IncomingMessage(message.envelope(), NO_HANDLE, request.queue())
                .write(List.of(IncomingMessage.ALL), List.of(IncomingMessage.ALL)));
      }
    }
    return new AnswerTree().trees("Messages", messages);
  }
}
