package dev.ron.mailbox.core;

import dev.ron.mailbox.core.message.TopicOwner;

/**
 * How one topic stands in one shard at one moment.
 *
 * <p>Threading: immutable.
 *
 * @param oldestMillis when the oldest ready message was sent, 0 if none is ready
 * @param sent since the topic last had no message
 * @param acked likewise
 */
public record TopicView(
    String topic,
    int shard,
    int ready,
    int delayed,
    int inFlight,
    int dead,
    long oldestMillis,
    long sent,
    long acked) {
  /** The same, as a caller knows it. */
  public TopicView shownTo(TopicOwner caller) {
    return new TopicView(
        caller.shown(topic), shard, ready, delayed, inFlight, dead, oldestMillis, sent, acked);
  }
}
