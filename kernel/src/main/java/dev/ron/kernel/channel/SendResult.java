package dev.ron.kernel.channel;

/** What became of an item that was sent. */
public sealed interface SendResult {
  /** The item is in the channel, and the consumer or the drain will see it or count it. */
  record Sent() implements SendResult {
    static final Sent INSTANCE = new Sent();
  }

  /** The channel was full; the item was not taken. */
  record Full(String channel, int capacity) implements SendResult {}

  /** The channel takes nothing any more; the item was not taken. */
  record Closed(String channel) implements SendResult {}
}
