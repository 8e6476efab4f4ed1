package dev.ron.mailbox.core.state;

/**
 * The bounds of one shard.
 *
 * <p>Threading: immutable.
 *
 * @param capacity messages that are ready, delayed or in flight
 * @param deadMax dead letters at which no more messages are taken in
 * @param replayMillis how long keys are remembered
 * @param keysMax keys remembered at a time
 * @param acksMax acknowledged ids remembered at a time
 */
public record ShardLimits(
    int capacity, int deadMax, long replayMillis, int keysMax, int acksMax, Attempts attempts) {
  public ShardLimits {
    if (capacity < 1 || deadMax < 1 || replayMillis < 1 || keysMax < 1 || acksMax < 1) {
      throw new IllegalArgumentException("limits of a shard must be positive");
    }
  }
}
