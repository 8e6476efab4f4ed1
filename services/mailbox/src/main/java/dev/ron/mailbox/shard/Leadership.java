package dev.ron.mailbox.shard;

import java.time.Duration;
import java.util.Optional;

/**
 * The other machines that decide shards; without them everything is decided here.
 *
 * <p>Threading: thread-safe; a call may wait.
 */
public interface Leadership {
  /** There is no other machine. */
  Leadership LOCAL = new Leadership() {};

  /** There is no other machine, and never will be. */
  default boolean alone() {
    return true;
  }

  /** Has it decided there, and the ask answered; false if the shard is decided here. */
  default boolean ask(int shard, ShardRequest.Do ask) {
    return false;
  }

  /**
   * Has messages handed out there, and the ask answered; false if the shard is decided here.
   *
   * @param wait for the first of them
   */
  default boolean receive(int shard, ShardRequest.Receive ask, Duration wait) {
    return false;
  }

  /** Where a client is to ask for what concerns the shard, if that is not here. */
  default Optional<String> door(int shard) {
    return Optional.empty();
  }

  /** How old what this machine knows may be; empty for a machine that is alone. */
  default Optional<Duration> age() {
    return Optional.empty();
  }
}
