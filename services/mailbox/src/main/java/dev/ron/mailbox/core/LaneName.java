package dev.ron.mailbox.core;

/**
 * What a lane is called.
 *
 * <p>Threading: immutable.
 */
public record LaneName(String topic, String group) {}
