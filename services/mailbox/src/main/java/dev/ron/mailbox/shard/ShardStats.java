package dev.ron.mailbox.shard;

import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.TopicView;
import java.util.List;

/**
 * What a shard shows of itself to those who do not own it.
 *
 * <p>Threading: immutable.
 */
public record ShardStats(
    int ready,
    int inFlight,
    int living,
    int dead,
    long bytes,
    int queues,
    int moves,
    List<TopicView> topics) {
  static final ShardStats NONE = new ShardStats(0, 0, 0, 0, 0, 0, 0, List.of());

  public static ShardStats of(Shard shard) {
    return new ShardStats(
        shard.ready(),
        shard.inFlight(),
        shard.living(),
        shard.dead(),
        shard.bytes(),
        shard.queues().size(),
        shard.runningMoves().size(),
        shard.topics());
  }
}
