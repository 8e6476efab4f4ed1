package dev.ron.mailbox.shard;

import dev.ron.mailbox.core.ShardLayout;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueTopic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which shards a topic's messages are in: its main shard, those that sticky keys sent some to, and
 * those that were its main shard under another number of shards.
 *
 * <p>The main shard is a stable hash, see {@link ShardLayout}, or that of the queue's record. Only
 * the others are written down, and only as long as they have messages of the topic.
 *
 * <p>Threading: thread-safe; the bit of a shard is changed by its own loop only.
 */
public final class TopicShards {
  /** One bit of a long for each. */
  public static final int SHARDS_MAX = ShardLayout.SHARDS_MAX;

  private final ShardLayout layout;
  private final QueueDirectory queues = new QueueDirectory();
  private final ConcurrentHashMap<String, Long> strays = new ConcurrentHashMap<>();

  public TopicShards(int shardCount) {
    this(ShardLayout.of(shardCount));
  }

  public TopicShards(ShardLayout layout) {
    this.layout = layout;
  }

  public ShardLayout layout() {
    return layout;
  }

  /** A queue stays in the shard that it was made in, whatever the number of shards is now. */
  public int mainShard(String topic) {
    return queues.find(topic).map(QueueRecord::shard).orElseGet(() -> layout.shard(topic, ""));
  }

  public QueueDirectory queues() {
    return queues;
  }

  /**
   * Messages of one topic with one sticky key share a shard, whatever its main shard. Those of a
   * queue stay in its home, where their order is made.
   */
  public int sticky(String topic, String key) {
    return key.isEmpty() || QueueTopic.is(topic) ? mainShard(topic) : layout.shard(topic, key);
  }

  /** The main shard first. */
  public List<Integer> of(String topic) {
    int main = mainShard(topic);
    var shards = new ArrayList<Integer>();
    shards.add(main);
    long bits = strays.getOrDefault(topic, 0L);
    for (int i = 0; i < layout.shards(); i++) {
      if ((bits & 1L << i) != 0) {
        shards.add(i);
      }
    }
    return shards;
  }

  void has(String topic, int shard) {
    if (shard != mainShard(topic)) {
      strays.merge(topic, 1L << shard, (a, b) -> a | b);
    }
  }

  void hasNot(String topic, int shard) {
    if (!strays.isEmpty()) {
      strays.computeIfPresent(
          topic, (_, bits) -> (bits & ~(1L << shard)) == 0 ? null : bits & ~(1L << shard));
    }
  }
}
