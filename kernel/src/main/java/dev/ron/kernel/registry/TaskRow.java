package dev.ron.kernel.registry;

import java.util.List;

/**
 * A task as the registry shows it.
 *
 * @param path the task's place in the tree, which is also its thread's name
 * @param kind what the task is one of: the name its siblings share, and its metric label
 * @param restart when the supervisor starts it again
 * @param state {@code running}, {@code waiting}, {@code restarting}, {@code done} ...
 * @param awaits names of the channels that it waited for last
 */
public record TaskRow(
    String path, String kind, String restart, String state, long restarts, List<String> awaits) {
  public TaskRow {
    awaits = List.copyOf(awaits);
  }
}
