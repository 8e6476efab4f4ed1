package dev.ron.mailbox.core.queue;

/**
 * The topics that are queues, and the names of the attrs that hold what a queue's sender said
 * besides.
 *
 * <p>A queue's topic is {@code sqs/<account>/<queue>}. That it is a FIFO queue is in its name:
 * every shard can tell without the queue's record, also one that only has messages which were moved
 * there.
 *
 * <p>Threading: stateless.
 */
public final class QueueTopic {
  public static final String PREFIX = "sqs/";

  /** Attr: who sent it. The colon keeps it apart from all names that a sender can give. */
  public static final String SENDER = "sqs:sender";

  /** Attr: the trace header. */
  public static final String TRACE = "sqs:trace";

  /** Attr: the deduplication id, given or made of the body. */
  public static final String DEDUP = "sqs:dedup";

  private static final String FIFO_END = ".fifo";

  private QueueTopic() {}

  public static boolean is(String topic) {
    return topic.startsWith(PREFIX);
  }

  /** Messages of a group go one after the other, and a group in flight is blocked. */
  public static boolean isFifo(String topic) {
    return is(topic) && topic.endsWith(FIFO_END);
  }
}
