package dev.ron.mailbox.core.message;

/**
 * Why and when a message was given up on.
 *
 * <p>Threading: immutable.
 */
public record DeadLetterEntry(
    Ulid id, DeadLetterReason reason, int attempts, String lastError, long atMillis) {}
