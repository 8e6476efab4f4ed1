package dev.ron.mailbox.queue;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message to be sent to a queue.
 *
 * <p>Threading: immutable; the body is never changed.
 *
 * @param attrs the sender's attributes in the door's own text form, of any length, and those that
 *     {@link dev.ron.mailbox.core.queue.QueueTopic} names
 * @param delaySeconds null for the queue's own; a FIFO queue takes only that
 * @param group empty for none
 * @param dedupId of a FIFO queue; empty on a standard queue
 * @param retryKey the client's call and the entry in it; a repetition on a standard queue is told
 *     the first answer. Empty: not remembered
 * @param bytes body and attributes as the queue's limit counts them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost every send
public record QueueSend(
    byte[] body,
    Map<String, String> attrs,
    @Nullable Integer delaySeconds,
    String group,
    String dedupId,
    String retryKey,
    int bytes,
    String corrId) {}
