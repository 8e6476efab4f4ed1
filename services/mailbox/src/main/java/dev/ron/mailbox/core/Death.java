package dev.ron.mailbox.core;

/**
 * Why and when a message was given up on.
 *
 * <p>Threading: immutable.
 */
public record Death(Ulid id, DeathReason reason, int attempts, String lastError, long atMillis) {}
