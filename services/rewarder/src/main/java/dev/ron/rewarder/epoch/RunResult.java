package dev.ron.rewarder.epoch;

import dev.ron.rewarder.RewarderFault;

/**
 * What a task answers: a value, or why there is none.
 *
 * <p>Threading: immutable if {@code T} is.
 */
public sealed interface RunResult<T> {
  record Done<T>(T value) implements RunResult<T> {}

  record Failed<T>(RewarderFault fault) implements RunResult<T> {}
}
