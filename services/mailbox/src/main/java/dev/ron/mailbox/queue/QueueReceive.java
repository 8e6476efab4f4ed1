package dev.ron.mailbox.queue;

import org.jspecify.annotations.Nullable;

/**
 * What a receive wants.
 *
 * <p>Threading: immutable.
 *
 * @param messagesMax 1 to 10
 * @param visibilitySeconds null for the queue's own
 * @param waitSeconds null for the queue's own
 * @param attemptId of a FIFO queue: the same again gets the same messages; empty for none
 */
public record QueueReceive(
    String topic,
    int messagesMax,
    @Nullable Integer visibilitySeconds,
    @Nullable Integer waitSeconds,
    String attemptId) {}
