package dev.ron.mailbox.sqs.queue;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsAction;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.api.SqsContext;
import dev.ron.mailbox.sqs.attribute.QueueAttributes;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Makes a queue, or finds the one that is there if it has the attributes that are named.
 *
 * <p>Threading: immutable.
 */
public record CreateQueue(SqsContext context)
    implements SqsAction<CreateQueue.Request, CreateQueue.Reply> {
  private static final String FIFO = "FifoQueue";

  /**
   * @param named the attributes that must be equal if the queue is there
   */
  public record Request(QueueAddress queue, String base, QueueRecord wanted, List<String> named) {}

  public record Reply(QueueAddress queue, String base) {}

  @Override
  public Request parse(SqsCall call) throws Refusal {
    String name =
        call.tree()
            .text("QueueName")
            .orElseThrow(() -> Refusal.of(new SqsFault.MissingParameter("QueueName")));
    Map<String, String> attributes = new LinkedHashMap<>(call.tree().textMap("Attributes"));
    boolean fifo = attributes.getOrDefault(FIFO, "").toLowerCase(Locale.ROOT).equals("true");
    checkName(name, fifo);
    QueueAddress queue = call.allowed("queues", call.origin().named(name));
    QueueAttributes all = QueueAttributes.defaults().with(attributes, queue);
    DeadLetterTarget.requireRight(call, all.settings());
    attributes.remove(FIFO);
    Map<String, String> tags = new LinkedHashMap<>(call.tree().textMap("tags"));
    tags.putAll(call.tree().textMap("Tags"));
    QueueTags.check(tags, queue);
    return new Request(
        queue,
        call.base(),
        QueueRecord.wanted(queue.topic(), all.settings(), all.opaque(), tags),
        List.copyOf(attributes.keySet()));
  }

  private static void checkName(String name, boolean fifo) throws Refusal {
    if (!QueueAddress.isName(name) || (!fifo && name.endsWith(".fifo"))) {
      throw Refusal.of(
          new SqsFault.InvalidParameterValue(
              "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in"
                  + " length"));
    }
    if (fifo && !name.endsWith(".fifo")) {
      throw Refusal.of(
          new SqsFault.InvalidParameterValue(
              "The name of a FIFO queue can only include alphanumeric characters, hyphens, or"
                  + " underscores, must end with .fifo suffix and be 1 to 80 in length"));
    }
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    DeadLetterTarget.check(context, request.queue(), request.wanted().settings());
    SqsContext.seen(context.queues().create(request.wanted(), request.named()));
    return new Reply(request.queue(), request.base());
  }

  @Override
  public AnswerTree write(Reply reply) {
    return new AnswerTree().text("QueueUrl", reply.queue().url(reply.base()));
  }

  @Override
  public boolean onQueue() {
    return false;
  }
}
