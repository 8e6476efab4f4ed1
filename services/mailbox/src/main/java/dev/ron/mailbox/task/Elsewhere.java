package dev.ron.mailbox.task;

import java.time.Duration;
import java.util.Optional;

/**
 * Where a shard is decided when that is not here.
 *
 * <p>Threading: thread-safe; a call may wait.
 */
public interface Elsewhere {
  /** There is no other machine. */
  Elsewhere NOWHERE =
      new Elsewhere() {
        @Override
        public boolean alone() {
          return true;
        }

        @Override
        public boolean here(int shard) {
          return true;
        }

        @Override
        public Optional<String> leader(int shard) {
          return Optional.empty();
        }

        @Override
        public void ask(int shard, Ask.Do ask) {
          throw new IllegalStateException("alone");
        }

        @Override
        public void receive(int shard, Ask.Receive ask, Duration wait) {
          throw new IllegalStateException("alone");
        }

        @Override
        public Optional<Duration> age() {
          return Optional.empty();
        }
      };

  /** There is no other machine, and never will be. */
  default boolean alone() {
    return false;
  }

  /** Whether the shard is decided on this machine now. */
  boolean here(int shard);

  /** The machine that decides it, if that is another and known. */
  Optional<String> leader(int shard);

  /** Has it decided there; the ask is answered. */
  void ask(int shard, Ask.Do ask);

  /**
   * Has messages handed out there; the ask is answered.
   *
   * @param wait for the first of them
   */
  void receive(int shard, Ask.Receive ask, Duration wait);

  /** How old what this machine knows may be; empty for a machine that is alone. */
  Optional<Duration> age();
}
