package dev.ron.mailbox.task;

import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.TopicView;
import java.util.List;

/**
 * What a shard shows of itself to those who do not own it.
 *
 * <p>Threading: immutable.
 */
public record ShardFigures(
    int ready, int inFlight, int living, int dead, long bytes, List<TopicView> topics) {
  static final ShardFigures NONE = new ShardFigures(0, 0, 0, 0, 0, List.of());

  public static ShardFigures of(Shard shard) {
    return new ShardFigures(
        shard.ready(),
        shard.inFlight(),
        shard.living(),
        shard.dead(),
        shard.bytes(),
        shard.topics());
  }
}
