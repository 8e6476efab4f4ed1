package dev.ron.mailbox.sqs.attribute;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The attributes of queues, with the ranges of those that are numbers.
 *
 * <p>Threading: immutable.
 */
public enum QueueAttribute {
  DELAY_SECONDS("DelaySeconds", 0, 900),
  MAXIMUM_MESSAGE_SIZE("MaximumMessageSize", 1024, 1 << 20),
  MESSAGE_RETENTION_PERIOD("MessageRetentionPeriod", 60, 1_209_600),
  RECEIVE_MESSAGE_WAIT_TIME_SECONDS("ReceiveMessageWaitTimeSeconds", 0, 20),
  VISIBILITY_TIMEOUT("VisibilityTimeout", 0, 43_200),
  REDRIVE_POLICY("RedrivePolicy", Kind.DOCUMENT),
  REDRIVE_ALLOW_POLICY("RedriveAllowPolicy", Kind.DOCUMENT),
  POLICY("Policy", Kind.DOCUMENT),
  FIFO_QUEUE("FifoQueue", Kind.FIFO),
  CONTENT_BASED_DEDUPLICATION("ContentBasedDeduplication", Kind.FIFO),
  DEDUPLICATION_SCOPE("DeduplicationScope", Kind.FIFO),
  FIFO_THROUGHPUT_LIMIT("FifoThroughputLimit", Kind.FIFO),
  KMS_MASTER_KEY_ID("KmsMasterKeyId", Kind.TEXT),
  KMS_DATA_KEY_REUSE_PERIOD_SECONDS("KmsDataKeyReusePeriodSeconds", 60, 86_400),
  SQS_MANAGED_SSE_ENABLED("SqsManagedSseEnabled", Kind.TEXT),
  APPROXIMATE_NUMBER_OF_MESSAGES("ApproximateNumberOfMessages", Kind.READ_ONLY),
  APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED("ApproximateNumberOfMessagesDelayed", Kind.READ_ONLY),
  APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE(
      "ApproximateNumberOfMessagesNotVisible", Kind.READ_ONLY),
  CREATED_TIMESTAMP("CreatedTimestamp", Kind.READ_ONLY),
  LAST_MODIFIED_TIMESTAMP("LastModifiedTimestamp", Kind.READ_ONLY),
  QUEUE_ARN("QueueArn", Kind.READ_ONLY);

  /** All of them, in a request. */
  public static final String ALL = "All";

  /** What an attribute is. */
  enum Kind {
    NUMBER,
    TEXT,
    DOCUMENT,
    FIFO,
    READ_ONLY
  }

  private static final Map<String, QueueAttribute> BY_NAME =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(QueueAttribute::publicName, Function.identity()));

  private final String publicName;
  private final Kind kind;
  private final int min;
  private final int max;

  QueueAttribute(String publicName, Kind kind) {
    this(publicName, kind, 0, 0);
  }

  QueueAttribute(String publicName, int min, int max) {
    this(publicName, Kind.NUMBER, min, max);
  }

  QueueAttribute(String publicName, Kind kind, int min, int max) {
    this.publicName = publicName;
    this.kind = kind;
    this.min = min;
    this.max = max;
  }

  public static Optional<QueueAttribute> of(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  public String publicName() {
    return publicName;
  }

  Kind kind() {
    return kind;
  }

  /** The number, if it is one within the range. */
  Optional<Integer> number(String text) {
    try {
      int number = Integer.parseInt(text.strip());
      return number >= min && number <= max ? Optional.of(number) : Optional.empty();
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }
}
