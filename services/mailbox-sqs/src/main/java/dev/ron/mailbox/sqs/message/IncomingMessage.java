package dev.ron.mailbox.sqs.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Message;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.QueueTopic;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.protocol.AnswerTree;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A message as a consumer sees it.
 *
 * <p>Threading: immutable.
 *
 * @param handle what it is deleted with
 */
record IncomingMessage(Envelope envelope, String handle, QueueAddress queue) {
  static final String ALL = "All";

  /**
   * Where sequence numbers begin. They have 20 digits from the first on: as a number one with
   * leading zeros would lose them, and a long row of zeros is some account's id to what masks
   * those.
   */
  private static final long SEQUENCE_START = Long.parseUnsignedLong("11111111111111111111");

  /** Rises from message to message, and as texts as it does as numbers. */
  static String sequence(Ulid id) {
    return Long.toUnsignedString(SEQUENCE_START + id.number());
  }

  /** As clients know ids. */
  static String messageId(Ulid id) {
    return new UUID(id.high(), id.low()).toString();
  }

  /**
   * @param systemNames the system attributes that are asked for
   * @param names the sender's attributes that are asked for
   */
  AnswerTree write(Collection<String> systemNames, List<String> names) {
    Message message = envelope.message();
    Ulid id = message.id();
    // The sum is of what is shown: by other doors come bytes that no protocol here can carry.
    String body = MessageText.shown(envelope.body());
    MessageAttributes attributes = MessageAttributes.ofStored(message.attrs()).asked(names);
    return new AnswerTree()
        .text("MessageId", messageId(id))
        .text("ReceiptHandle", handle)
        .text("MD5OfBody", MessageDigests.body(body.getBytes(UTF_8)))
        .text("Body", body)
        .textMap("Attributes", system(systemNames))
        .text("MD5OfMessageAttributes", attributes.md5().orElse(null))
        .treeMap("MessageAttributes", attributes.write());
  }

  private Map<String, String> system(Collection<String> names) {
    var all = new LinkedHashMap<String, String>();
    Message message = envelope.message();
    all.put("SenderId", message.attrs().getOrDefault(QueueTopic.SENDER, queue.account()));
    all.put("ApproximateFirstReceiveTimestamp", Long.toString(envelope.firstMillis()));
    all.put("ApproximateReceiveCount", Integer.toString(envelope.attempt()));
    all.put("SentTimestamp", Long.toString(message.tsMillis()));
    if (queue.fifo()) {
      all.put("SequenceNumber", sequence(message.id()));
      put(all, "MessageDeduplicationId", dedupId());
    }
    put(all, "MessageGroupId", message.group());
    put(all, "AWSTraceHeader", message.attrs().getOrDefault(QueueTopic.TRACE, ""));
    QueueAddress.ofTopic(envelope.movedFrom(), queue.home())
        .ifPresent(source -> all.put("DeadLetterQueueSourceArn", source.arn()));
    if (envelope.firstMillis() == 0) {
      all.remove("ApproximateFirstReceiveTimestamp");
    }
    if (!names.contains(ALL)) {
      all.keySet().retainAll(names);
    }
    return all;
  }

  /** A dead letter has its own id there: two of them may have had one id of their senders. */
  private String dedupId() {
    Message message = envelope.message();
    return envelope.movedFrom().isEmpty()
        ? message.attrs().getOrDefault(QueueTopic.DEDUP, "")
        : messageId(message.id());
  }

  private static void put(Map<String, String> all, String name, String value) {
    if (!value.isEmpty()) {
      all.put(name, value);
    }
  }
}
