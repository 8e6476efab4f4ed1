package dev.ron.mailbox.core;

/**
 * One message that nobody could handle.
 *
 * <p>Threading: immutable.
 */
public record DeadLetter(
    Message message, DeathReason reason, int attempts, String lastError, long atMillis) {}
