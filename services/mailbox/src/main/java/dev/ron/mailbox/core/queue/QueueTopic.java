package dev.ron.mailbox.core.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

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
  private static final long ACCOUNTS = 1_000_000_000_000L;

  private QueueTopic() {}

  public static boolean is(String topic) {
    return topic.startsWith(PREFIX);
  }

  /** The account of a tenant: 12 digits, the same on every machine and for ever. */
  public static String accountOf(String tenant) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(tenant.getBytes(UTF_8));
      return "%012d".formatted(Math.floorMod(ByteBuffer.wrap(hash).getLong(), ACCOUNTS));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Whether a queue is another tenant's; a topic that is no queue is none's. */
  public static boolean isForeign(String topic, String tenant) {
    return is(topic) && !topic.matches("sqs/([^/]*[^/0-9][^/]*/)?" + accountOf(tenant) + "/[^/]*");
  }

  /** Messages of a group go one after the other, and a group in flight is blocked. */
  public static boolean isFifo(String topic) {
    return is(topic) && topic.endsWith(FIFO_END);
  }
}
