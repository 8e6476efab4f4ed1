package dev.ron.mailbox.core.state;

import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.core.queue.QueueImage;
import dev.ron.mailbox.core.queue.QueueRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The queues whose home this shard is, and what is known of messages in queues besides the index.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class QueueTable {
  /** How long a queue's name is blocked after the queue was deleted. */
  public static final long BLOCKED_MILLIS = 60_000;

  /** Moves that are remembered of one queue. */
  private static final int MOVES_MAX = 10;

  /** An entry of the maps by number, boxes and all; texts are shared. */
  private static final int SIDE_BYTES = 100;

  private final Map<String, QueueRecord> queues = new TreeMap<>();
  private final Map<String, Long> gone = new HashMap<>();

  /** Of each source, the latest first. */
  private final Map<String, List<MoveTask>> moves = new HashMap<>();

  private final Map<Long, String> movedFrom = new HashMap<>();
  private final Map<Long, Long> firstReceived = new HashMap<>();

  /** Of all records. */
  private long recordBytes;

  QueueTable(QueueImage image) {
    image.queues().forEach(this::put);
    gone.putAll(image.gone());
    // Written the latest first; each is put before those that are there.
    image.moves().reversed().forEach(this::keep);
    movedFrom.putAll(image.movedFrom());
    firstReceived.putAll(image.firstReceived());
  }

  QueueImage image() {
    return new QueueImage(
        List.copyOf(queues.values()),
        gone,
        moves.values().stream().flatMap(List::stream).toList(),
        movedFrom,
        firstReceived);
  }

  void keep(QueueRecord queue) {
    put(queue);
    gone.remove(queue.topic());
  }

  private void put(QueueRecord queue) {
    QueueRecord before = queues.put(queue.topic(), queue);
    recordBytes += queue.bytes() - (before == null ? 0 : before.bytes());
  }

  void remove(String topic, long atMillis) {
    gone.values().removeIf(at -> at + BLOCKED_MILLIS <= atMillis);
    QueueRecord before = queues.remove(topic);
    recordBytes -= before == null ? 0 : before.bytes();
    moves.remove(topic);
    gone.put(topic, atMillis);
  }

  void purged(String topic, long atMillis) {
    queues.computeIfPresent(topic, (_, queue) -> queue.purged(atMillis));
  }

  void keep(MoveTask task) {
    List<MoveTask> all = new ArrayList<>(moves.getOrDefault(task.source(), List.of()));
    all.removeIf(each -> each.id().equals(task.id()));
    all.addFirst(task);
    moves.put(task.source(), List.copyOf(all.subList(0, Math.min(MOVES_MAX, all.size()))));
  }

  void moved(long number, String from) {
    if (from.isEmpty()) {
      movedFrom.remove(number);
    } else {
      // One text for all that come from a queue.
      QueueRecord source = queues.get(from);
      movedFrom.put(number, source == null ? from : source.topic());
    }
  }

  void received(long number, long firstMillis) {
    if (firstMillis == 0) {
      firstReceived.remove(number);
    } else {
      firstReceived.put(number, firstMillis);
    }
  }

  void forget(long number) {
    if (!movedFrom.isEmpty()) {
      movedFrom.remove(number);
    }
    if (!firstReceived.isEmpty()) {
      firstReceived.remove(number);
    }
  }

  // ---- looking

  @Nullable public QueueRecord find(String topic) {
    return queues.get(topic);
  }

  public List<QueueRecord> all() {
    return List.copyOf(queues.values());
  }

  public boolean isEmpty() {
    return queues.isEmpty();
  }

  /** Until when the name of a queue is blocked; 0 if it is not. */
  public long blockedUntil(String topic) {
    Long at = gone.get(topic);
    return at == null ? 0 : at + BLOCKED_MILLIS;
  }

  /** Of one source, the latest first. */
  public List<MoveTask> moves(String source) {
    return moves.getOrDefault(source, List.of());
  }

  /** Those that are under way. */
  public List<MoveTask> running() {
    return moves.values().stream().flatMap(List::stream).filter(MoveTask::running).toList();
  }

  /** The queue whose dead letter a message is; empty if it is none. */
  public String movedFrom(long number) {
    return movedFrom.getOrDefault(number, "");
  }

  /** When a message that came back was received first; 0 if it was not. */
  public long firstReceived(long number) {
    return firstReceived.getOrDefault(number, 0L);
  }

  long bytes() {
    return recordBytes + (long) SIDE_BYTES * (movedFrom.size() + firstReceived.size());
  }
}
