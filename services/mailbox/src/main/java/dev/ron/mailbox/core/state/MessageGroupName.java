package dev.ron.mailbox.core.state;

/**
 * What a lane is called.
 *
 * <p>Threading: immutable.
 */
public record MessageGroupName(String topic, String group) {}
