package dev.ron.mailbox.core.queue;

import java.util.List;
import java.util.Map;

/**
 * The queues of a shard at one moment, and what it knows of messages in queues besides the index.
 *
 * <p>Threading: immutable.
 *
 * @param gone when a queue was deleted, by its topic, as long as its name is blocked
 * @param movedFrom the queue that a message was moved from, by its number
 * @param firstReceived when a message that came back was received first, by its number
 */
public record QueueImage(
    List<QueueRecord> queues,
    Map<String, Long> gone,
    List<MoveTask> moves,
    Map<Long, String> movedFrom,
    Map<Long, Long> firstReceived) {
  public static final QueueImage NONE =
      new QueueImage(List.of(), Map.of(), List.of(), Map.of(), Map.of());

  public QueueImage {
    queues = List.copyOf(queues);
    gone = Map.copyOf(gone);
    moves = List.copyOf(moves);
    movedFrom = Map.copyOf(movedFrom);
    firstReceived = Map.copyOf(firstReceived);
  }
}
