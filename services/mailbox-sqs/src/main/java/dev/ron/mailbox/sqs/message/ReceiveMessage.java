package dev.ron.mailbox.sqs.message;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.queue.QueueReceive;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import dev.ron.mailbox.sqs.protocol.RequestTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Hands out up to ten messages; waits for the first as long as it is told.
 *
 * <p>Threading: immutable.
 */
public record ReceiveMessage(SqsContext context)
    implements SqsAction<ReceiveMessage.Request, ReceiveMessage.Reply> {
  private static final int ATTEMPT_CHARS_MAX = 128;

  /**
   * @param systemNames the system attributes that are asked for
   * @param names the sender's attributes that are asked for
   */
  public record Request(
      QueueAddress queue, QueueReceive receive, List<String> systemNames, List<String> names) {}

  public record Reply(Request request, List<Envelope> envelopes) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    QueueAddress queue = call.queue("recv");
    RequestTree tree = call.tree();
    int max =
        tree.number("MaxNumberOfMessages", 1, 10, "Must be between 1 and 10, if provided.")
            .orElse(1);
    var receive =
        new QueueReceive(
            queue.topic(),
            max,
            tree.number("VisibilityTimeout", 0, 43_200, "Must be between 0 and 43200, if provided.")
                .orElse(null),
            tree.number("WaitTimeSeconds", 0, 20, "Must be >= 0 and <= 20, if provided.")
                .orElse(null),
            queue.fifo() ? attempt(tree) : "");
    return new Request(
        queue, receive, systemNames(tree), List.copyOf(tree.texts("MessageAttributeNames")));
  }

  private static String attempt(RequestTree tree) throws Refusal {
    Optional<String> id = tree.text("ReceiveRequestAttemptId").filter(text -> !text.isEmpty());
    if (id.isPresent() && id.get().length() > ATTEMPT_CHARS_MAX) {
      throw Refusal.of(
          new SqsFault.InvalidParameterValue(
              "Value %s for parameter ReceiveRequestAttemptId is invalid. Reason: ReceiveRequestAttemptId can only include alphanumeric and punctuation characters. 1 to 128 in length."
                  .formatted(id.get())));
    }
    return id.orElse("");
  }

  /** JSON clients are given both lists; of forms the older one counts where it is there. */
  static List<String> systemNames(RequestTree tree) throws Refusal {
    var names = new ArrayList<>(tree.texts("AttributeNames"));
    if (tree.typed() || names.isEmpty()) {
      names.addAll(tree.texts("MessageSystemAttributeNames"));
    }
    return List.copyOf(names);
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    List<Envelope> envelopes = SqsContext.seen(context.queues().receive(request.receive()));
    context.metrics().received().inc(envelopes.size());
    return new Reply(request, envelopes);
  }

  @Override
  public AnswerTree write(Reply reply) {
    Request request = reply.request();
    var messages = new ArrayList<AnswerTree>();
    for (Envelope envelope : reply.envelopes()) {
      String handle =
          context
              .handles()
              .write(request.queue().topic(), envelope.message().id(), envelope.receipt());
      messages.add(
          new IncomingMessage(envelope, handle, request.queue())
              .write(request.systemNames(), request.names()));
    }
    return new AnswerTree().trees("Messages", messages);
  }
}
