package dev.ron.kernel.registry;

/**
 * A task as the registry shows it.
 *
 * @param path the task's place in the tree, which is also its thread's name
 * @param kind what the task is one of: the name its siblings share, and its metric label
 * @param restart when the supervisor starts it again
 * @param state {@code running}, {@code waiting}, {@code restarting}, {@code done} ...
 */
public record TaskRow(String path, String kind, String restart, String state, long restarts) {}
