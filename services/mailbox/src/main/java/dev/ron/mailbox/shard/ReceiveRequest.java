package dev.ron.mailbox.shard;

/**
 * What a receiver wants.
 *
 * @param messagesMax at least one
 */
public record ReceiveRequest(String topic, long visibilityMillis, int messagesMax, long bytesMax) {
  /** The same with room for so much. */
  public ReceiveRequest upTo(int messages, long bytes) {
    return new ReceiveRequest(topic, visibilityMillis, messages, bytes);
  }
}
