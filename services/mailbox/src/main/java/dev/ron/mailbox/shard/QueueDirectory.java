package dev.ron.mailbox.shard;

import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.RedriveTarget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The queues of all shards, as far as this machine knows them: what it leads is exact, what it
 * follows may be a moment behind.
 *
 * <p>Threading: thread-safe; the records of a shard are changed by its own loop only.
 */
public final class QueueDirectory {
  private final ConcurrentSkipListMap<String, QueueRecord> queues = new ConcurrentSkipListMap<>();

  public Optional<QueueRecord> find(String topic) {
    return Optional.ofNullable(queues.get(topic));
  }

  /**
   * Those whose topic begins with {@code prefix}, in the order of their topics.
   *
   * @param after only those behind this topic; empty for all
   */
  public List<QueueRecord> list(String prefix, String after, int max) {
    String from = after.compareTo(prefix) > 0 ? after : prefix;
    return queues.tailMap(from, true).values().stream()
        .takeWhile(queue -> queue.topic().startsWith(prefix))
        .filter(queue -> queue.topic().compareTo(after) > 0)
        .limit(max)
        .toList();
  }

  /** The queues whose dead letters go to a queue. */
  public List<QueueRecord> sources(String target) {
    return queues.values().stream()
        .filter(
            queue -> {
              RedriveTarget redrive = queue.settings().redrive();
              return redrive != null && redrive.topic().equals(target);
            })
        .toList();
  }

  /** The age at which messages of each queue vanish. */
  Map<String, Long> retentionMillis() {
    var ages = new HashMap<String, Long>();
    queues.forEach((topic, queue) -> ages.put(topic, 1000L * queue.settings().retentionSeconds()));
    return ages;
  }

  void put(QueueRecord queue) {
    queues.put(queue.topic(), queue);
  }

  void remove(String topic) {
    queues.remove(topic);
  }

  /** What a shard has after a recovery, and nothing else of that shard. */
  void recovered(int shard, List<QueueRecord> all) {
    queues.values().removeIf(queue -> queue.shard() == shard && !all.contains(queue));
    all.forEach(this::put);
  }
}
