package dev.ron.mailbox.core.message;

/**
 * A message in the hands of a consumer.
 *
 * <p>Threading: immutable; the body is never changed.
 *
 * @param attempt counted from 1
 * @param firstMillis when a message of a queue was received first; 0 of any other
 * @param movedFrom the queue whose dead letter it is; empty if it was not moved
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost every delivery
public record Envelope(
    Message message,
    byte[] body,
    int attempt,
    Receipt receipt,
    long firstMillis,
    String movedFrom) {
  public Envelope(Message message, byte[] body, int attempt, Receipt receipt) {
    this(message, body, attempt, receipt, 0, "");
  }

  /** The same, as a caller knows it. */
  public Envelope shownTo(TopicOwner caller) {
    return new Envelope(caller.shown(message), body, attempt, receipt, firstMillis, movedFrom);
  }

  public int shard() {
    return message.id().shard();
  }
}
