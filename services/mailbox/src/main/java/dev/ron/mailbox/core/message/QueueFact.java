package dev.ron.mailbox.core.message;

import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.core.queue.QueueRecord;

/**
 * Something that happened to a queue, or to a message because of its queue.
 *
 * <p>Threading: immutable.
 */
public sealed interface QueueFact extends Fact {
  /**
   * In place of a message's id in a fact about a queue: names the shard alone. Messages are counted
   * from 1, so it is that of none.
   */
  static Ulid ofShard(int shard) {
    return new Ulid(shard, 0);
  }

  /** A queue was made or changed. */
  record Kept(QueueRecord queue) implements QueueFact {
    @Override
    public Ulid id() {
      return ofShard(queue.shard());
    }
  }

  /** A queue is gone with all its messages; its name is blocked for a while. */
  record Gone(Ulid id, String topic, long atMillis) implements QueueFact {}

  /** All messages of a queue that are in this shard are gone. */
  record Purged(Ulid id, String topic, long atMillis) implements QueueFact {}

  /** A move of messages was begun, got on or ended. */
  record MoveKept(Ulid id, MoveTask task) implements QueueFact {}

  /**
   * A message is in another queue now, in the same shard and under the same id.
   *
   * @param from the queue whose dead letter it is; empty if it is none any more
   * @param firstMillis when it was received first; 0 if it was not
   * @param sinceMillis from when on its age counts; 0 for as before
   */
  record Moved(Ulid id, String topic, String from, int attempts, long firstMillis, long sinceMillis)
      implements QueueFact {}

  /** A message was older than its queue keeps them. */
  record Expired(Ulid id) implements QueueFact {}
}
