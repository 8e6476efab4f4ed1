package dev.ron.mailbox.task;

import dev.ron.blake3.Blake3;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which shards a topic's messages are in: its home, and those that sticky keys sent some to.
 *
 * <p>Home is a stable hash, so that it is the same after a restart and on every machine. Only the
 * others are written down, and only as long as they have messages of the topic.
 *
 * <p>Threading: thread-safe; the bit of a shard is changed by its own loop only.
 */
public final class TopicShards {
  /** One bit of a long for each. */
  public static final int SHARDS_MAX = 64;

  private final int shardCount;
  private final ConcurrentHashMap<String, Long> strays = new ConcurrentHashMap<>();

  public TopicShards(int shardCount) {
    if (shardCount < 1 || shardCount > SHARDS_MAX) {
      throw new IllegalArgumentException("shard_count = " + shardCount);
    }
    this.shardCount = shardCount;
  }

  public int home(String topic) {
    return shard(topic);
  }

  /** Messages of one topic with one sticky key share a shard, whatever the topic's home. */
  public int sticky(String topic, String key) {
    return shard(topic.length() + ":" + topic + key);
  }

  private int shard(String text) {
    byte[] hash = Blake3.hash(text.getBytes(StandardCharsets.UTF_8)).bytes();
    return (int) Long.remainderUnsigned(ByteBuffer.wrap(hash).getLong(), shardCount);
  }

  /** Home first. */
  public List<Integer> of(String topic) {
    int home = home(topic);
    var shards = new ArrayList<Integer>();
    shards.add(home);
    long bits = strays.getOrDefault(topic, 0L);
    for (int i = 0; i < shardCount; i++) {
      if ((bits & 1L << i) != 0) {
        shards.add(i);
      }
    }
    return shards;
  }

  void has(String topic, int shard) {
    if (shard != home(topic)) {
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
