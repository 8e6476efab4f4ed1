package dev.ron.mailbox.core;

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
    long acked) {}
