package dev.ron.mailbox.core;

/**
 * A message with its body.
 *
 * <p>Threading: immutable; the body is never changed.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost every delivery
public record Letter(Message message, byte[] body) {}
