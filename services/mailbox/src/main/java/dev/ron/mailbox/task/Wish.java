package dev.ron.mailbox.task;

/**
 * What a receiver wants.
 *
 * @param messagesMax at least one
 */
public record Wish(String topic, long visibilityMillis, int messagesMax, long bytesMax) {
  /** The same with room for so much. */
  public Wish upTo(int messages, long bytes) {
    return new Wish(topic, visibilityMillis, messages, bytes);
  }
}
