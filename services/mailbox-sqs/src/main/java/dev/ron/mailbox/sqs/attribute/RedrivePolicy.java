package dev.ron.mailbox.sqs.attribute;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.queue.RedriveTarget;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.api.QueueAddress;
import dev.ron.mailbox.sqs.protocol.RequestTree;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a message goes that is received too often, as the document that clients write.
 *
 * <p>Threading: stateless.
 */
public final class RedrivePolicy {
  static final String NAME = "RedrivePolicy";

  private static final String NO_TARGET =
      "Redrive policy does not contain mandatory attribute: deadLetterTargetArn.";
  private static final String NO_COUNT =
      "Redrive policy does not contain mandatory attribute: maxReceiveCount.";

  private RedrivePolicy() {}

  static RedriveTarget read(String text, QueueAddress queue) throws Refusal {
    Map<String, @Nullable Object> members = members(NAME, text);
    if (!(members.get("deadLetterTargetArn") instanceof String arn)) {
      throw invalid(NAME, text, NO_TARGET);
    }
    Object count = members.get("maxReceiveCount");
    if (count == null) {
      throw invalid(NAME, text, NO_COUNT);
    }
    QueueAddress target =
        QueueAddress.ofArn(arn, queue.home())
            .orElseThrow(() -> invalid(NAME, text, "Invalid value for deadLetterTargetArn."));
    if (!target.account().equals(queue.account())) {
      throw invalid(NAME, text, "Dead-letter queue owner should be same as the source.");
    }
    if (!target.region().equals(queue.region())) {
      throw invalid(NAME, text, "Dead-letter queue must be in same region as the source.");
    }
    if (target.fifo() != queue.fifo()) {
      throw invalid(NAME, text, "Dead-letter queue must be same type of queue as the source.");
    }
    return new RedriveTarget(target.topic(), count(text, count));
  }

  /** Clients write the number with or without quotes. */
  private static int count(String text, Object count) throws Refusal {
    try {
      long number = Long.parseLong(count.toString().strip());
      if (number >= 1 && number <= 1000) {
        return (int) number;
      }
    } catch (NumberFormatException _) {
      // said below
    }
    throw invalid(
        NAME,
        text,
        "Invalid value for maxReceiveCount: %s, valid values are from 1 to 1000 both inclusive."
            .formatted(count));
  }

  static String write(RedriveTarget target, QueueAddress queue) {
    String arn =
        QueueAddress.ofTopic(target.topic(), queue.home())
            .map(QueueAddress::arn)
            .orElse(target.topic());
    return "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":%d}"
        .formatted(arn, target.receivesMax());
  }

  static Map<String, @Nullable Object> members(String name, String text) throws Refusal {
    try {
      return RequestTree.object(text.getBytes(UTF_8));
    } catch (Refusal _) {
      throw invalid(
          name, text, "Amazon SQS can't create the redrive policy. Reason: invalid JSON.");
    }
  }

  /** Why a queue cannot be the target. */
  public static Refusal refused(RedriveTarget target, QueueAddress queue, String reason) {
    return invalid(NAME, write(target, queue), reason);
  }

  /** As AWS words it. */
  static Refusal invalid(String name, String value, String reason) {
    return Refusal.of(
        new SqsFault.InvalidParameterValue(
            "Value %s for parameter %s is invalid. Reason: %s".formatted(value, name, reason)));
  }
}
