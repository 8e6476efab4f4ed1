package dev.ron.mailbox.sqs.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueTopic;
import dev.ron.mailbox.queue.QueueSend;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.api.SqsCall;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import dev.ron.mailbox.sqs.protocol.RequestTree;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A message that a client wants to send, alone or in a batch, read and checked as far as that can
 * be without its queue.
 *
 * <p>Threading: immutable; the body is never changed.
 *
 * @param entry its id in a batch; empty if it is alone
 * @param trace the trace header; null for none
 * @param traceGiven whether the sender gave it as a system attribute, whose sum it is told
 * @param group null if none is given
 * @param dedupId null if none is given
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record OutgoingMessage(
    String entry,
    byte[] body,
    MessageAttributes attributes,
    @Nullable String trace,
    boolean traceGiven,
    @Nullable Integer delaySeconds,
    @Nullable String group,
    @Nullable String dedupId) {
  private static final String TRACE = "AWSTraceHeader";
  private static final int TRACE_CHARS_MAX = 1024;
  private static final Pattern FIFO_ID = Pattern.compile("[!-~]{1,128}");

  /** Whatever the queue takes, no message has more. */
  static final int BYTES_MAX = 1 << 20;

  static OutgoingMessage parse(SqsCall call, RequestTree tree, String entry) throws Refusal {
    String text = tree.required("MessageBody");
    if (!MessageText.isValid(text)) {
      throw Refusal.of(new SqsFault.InvalidMessageContents());
    }
    Optional<String> given = trace(tree.treeMap("MessageSystemAttributes"));
    return new OutgoingMessage(
        entry,
        text.getBytes(UTF_8),
        MessageAttributes.parse(tree.treeMap("MessageAttributes")),
        given
            .or(() -> call.header("X-Amzn-Trace-Id").filter(OutgoingMessage::isTrace))
            .orElse(null),
        given.isPresent(),
        tree.number("DelaySeconds", 0, 900, "DelaySeconds must be >= 0 and <= 900.").orElse(null),
        fifoId(tree, "MessageGroupId"),
        fifoId(tree, "MessageDeduplicationId"));
  }

  private static Optional<String> trace(Map<String, RequestTree> members) throws Refusal {
    for (Map.Entry<String, RequestTree> each : members.entrySet()) {
      boolean text = each.getValue().text("DataType").orElse("").equals("String");
      if (!each.getKey().equals(TRACE) || !text) {
        throw Refusal.of(
            new SqsFault.InvalidParameterValue(
                "Message system attribute '%s' is not valid: only AWSTraceHeader of type String is."
                    .formatted(each.getKey())));
      }
    }
    RequestTree value = members.get(TRACE);
    if (value == null) {
      return Optional.empty();
    }
    String given = value.required("StringValue");
    if (!isTrace(given)) {
      throw wrong(
          "Message system attribute 'AWSTraceHeader' must be valid text of up to 1024 characters.");
    }
    return Optional.of(given);
  }

  /** It is not counted with the message, so it has a bound of its own. */
  private static boolean isTrace(String text) {
    return text.length() <= TRACE_CHARS_MAX && MessageText.isValid(text);
  }

  private static @Nullable String fifoId(RequestTree tree, String name) throws Refusal {
    Optional<String> id = tree.text(name);
    if (id.isPresent() && !FIFO_ID.matcher(id.get()).matches()) {
      throw Refusal.of(
          new SqsFault.InvalidParameterValue(
              "Value %s for parameter %s is invalid. Reason: %s can only include alphanumeric and punctuation characters. 1 to 128 in length."
                  .formatted(id.get(), name, name)));
    }
    return id.orElse(null);
  }

  /** Body and attributes. */
  int bytes() {
    return body.length + attributes.bytes();
  }

  /** A record by which none of them is refused, or that of the machine that decides. */
  static QueueRecord queue(
      SqsCall call, QueueAddress address, QueueRecord known, List<OutgoingMessage> messages)
      throws Refusal, InterruptedException {
    return messages.stream().allMatch(message -> message.fits(known))
        ? known
        : call.record(address);
  }

  private boolean fits(QueueRecord queue) {
    try {
      check(queue);
      checkSize(queue);
      return true;
    } catch (Refusal _) {
      return false;
    }
  }

  /** Refuses what does not go with the kind of queue. */
  void check(QueueRecord queue) throws Refusal {
    if (!queue.fifo()) {
      if (dedupId != null) {
        throw wrong(
            "Value %s for parameter MessageDeduplicationId is invalid. Reason: The request includes a parameter that is not valid for this queue type."
                .formatted(dedupId));
      }
      return;
    }
    if (group == null) {
      throw Refusal.of(
          entry.isEmpty()
              ? new SqsFault.MissingParameter("MessageGroupId")
              : new SqsFault.InvalidParameterValue(
                  "The request must contain the parameter MessageGroupId."));
    }
    if (dedupId == null && !queue.settings().contentDedup()) {
      throw wrong(
          "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId"
              + " provided explicitly");
    }
    if (delaySeconds != null && delaySeconds != 0) {
      throw wrong(
          "Value %d for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type."
              .formatted(delaySeconds));
    }
  }

  private static Refusal wrong(String why) {
    return Refusal.of(new SqsFault.InvalidParameterValue(why));
  }

  /** Refuses a message that is longer than the queue takes. */
  void checkSize(QueueRecord queue) throws Refusal {
    int max = queue.settings().messageBytesMax();
    if (bytes() > max) {
      String what = entry.isEmpty() ? "are invalid" : "cannot be validated";
      throw wrong(
          "One or more parameters %s. Reason: Message must be shorter than %d bytes."
              .formatted(what, max));
    }
  }

  QueueSend send(SqsCall call, QueueRecord queue) {
    var attrs = new TreeMap<>(attributes.stored());
    attrs.put(QueueTopic.SENDER, call.caller().account());
    if (trace != null) {
      attrs.put(QueueTopic.TRACE, trace);
    }
    String dedup = "";
    if (queue.fifo()) {
      dedup = dedupId == null ? MessageDigests.dedupId(body) : dedupId;
      attrs.put(QueueTopic.DEDUP, dedup);
    }
    String invocation = call.invocation();
    return new QueueSend(
        body,
        attrs,
        queue.fifo() ? null : delaySeconds,
        group == null ? "" : group,
        dedup,
        invocation.isEmpty() || queue.fifo() ? "" : invocation + "/" + entry,
        bytes(),
        call.exchange().corrId());
  }

  /** The id of a message that was taken, or of the one that it repeats. */
  static Ulid taken(Outcome outcome) throws Refusal {
    return switch (outcome) {
      case Outcome.Accepted accepted -> accepted.id();
      case Outcome.Refused(var fault) -> throw Refusal.of(fault);
      default -> throw new IllegalStateException("no answer to a send: " + outcome);
    };
  }

  /** What the sender is told of a message that was taken. */
  AnswerTree write(Ulid id, QueueAddress queue) {
    AnswerTree tree = new AnswerTree();
    if (!entry.isEmpty()) {
      tree.text("Id", entry);
    }
    tree.text("MessageId", IncomingMessage.messageId(id))
        .text("MD5OfMessageBody", MessageDigests.body(body))
        .text("MD5OfMessageAttributes", attributes.md5().orElse(null));
    if (trace != null && traceGiven) {
      var value = new MessageAttributes.Value("String", trace.getBytes(UTF_8));
      tree.text("MD5OfMessageSystemAttributes", MessageDigests.attributes(Map.of(TRACE, value)));
    }
    return queue.fifo() ? tree.text("SequenceNumber", IncomingMessage.sequence(id)) : tree;
  }
}
