package dev.ron.mailbox.core.message;

/**
 * A message in the hands of a consumer.
 *
 * <p>Threading: immutable; the body is never changed.
 *
 * @param attempt counted from 1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost every delivery
public record Envelope(Message message, byte[] body, int attempt, Receipt receipt) {
  public int shard() {
    return message.id().shard();
  }
}
