package dev.ron.mailbox.core.message;

/**
 * A message with its body.
 *
 * <p>Threading: immutable; the body is never changed.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost every delivery
public record StoredMessage(Message message, byte[] body) {}
