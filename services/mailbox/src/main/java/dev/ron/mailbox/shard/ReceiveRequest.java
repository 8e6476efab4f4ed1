package dev.ron.mailbox.shard;

/**
 * What a receiver wants.
 *
 * @param messagesMax at least one
 * @param attemptId names the call on a FIFO queue, whose repetition gets the same messages; empty
 *     for none
 */
public record ReceiveRequest(
    String topic, long visibilityMillis, int messagesMax, long bytesMax, String attemptId) {
  public ReceiveRequest(String topic, long visibilityMillis, int messagesMax, long bytesMax) {
    this(topic, visibilityMillis, messagesMax, bytesMax, "");
  }

  /** The same under a name by which it may be repeated. */
  public ReceiveRequest named(String attempt) {
    return new ReceiveRequest(topic, visibilityMillis, messagesMax, bytesMax, attempt);
  }

  /** The same with room for so much. */
  public ReceiveRequest upTo(int messages, long bytes) {
    return new ReceiveRequest(topic, visibilityMillis, messages, bytes, attemptId);
  }
}
