package dev.ron.mailbox.core;

import dev.ron.blake3.Hash;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.core.queue.QueueRecord;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a shard can be asked to decide about queues.
 *
 * <p>Each names its queue. A word about a message counts only in the queue it names: a message that
 * was moved meanwhile is unknown there.
 *
 * <p>Threading: immutable; bodies are never changed.
 */
public sealed interface QueueCommand extends Command {
  String topic();

  /**
   * Makes a queue, or finds the one that is there.
   *
   * @param named the attributes that the request names; those must be equal if it is there
   */
  record Make(QueueRecord wanted, List<String> named) implements QueueCommand {
    public Make {
      named = List.copyOf(named);
    }

    @Override
    public String topic() {
      return wanted.topic();
    }
  }

  /** The record, if there is such a queue. */
  record Find(String topic) implements QueueCommand {}

  /**
   * Replaces settings, opaque attributes and tags, if the version is still that of {@code next}.
   */
  record Change(QueueRecord next) implements QueueCommand {
    @Override
    public String topic() {
      return next.topic();
    }
  }

  /** Lets a queue go with all its messages here. */
  record Delete(String topic) implements QueueCommand {}

  /** Lets all messages go, once a minute. */
  record Purge(String topic) implements QueueCommand {}

  /** Lets go of messages of a queue in a shard that is not its home. */
  record Clear(String topic) implements QueueCommand {}

  /**
   * A message for a queue.
   *
   * @param delaySeconds -1 for the queue's own
   * @param dedupId empty on a standard queue
   * @param retryKey names the client's call, so that a repetition of it is told the first answer;
   *     empty if it is not to be remembered
   * @param bytes body and attributes as the queue's limit counts them
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost every send
  record Put(
      String topic,
      byte[] body,
      Hash payloadHash,
      Map<String, String> attrs,
      int delaySeconds,
      String group,
      String dedupId,
      String retryKey,
      int bytes,
      String corrId,
      long tsMillis)
      implements QueueCommand {
    /** The same without a key that no sender relies on, which is that of a standard queue. */
    public Put unlessRelied() {
      return dedupId.isEmpty()
          ? new Put(
              topic,
              body,
              payloadHash,
              attrs,
              delaySeconds,
              group,
              dedupId,
              "",
              bytes,
              corrId,
              tsMillis)
          : this;
    }
  }

  /**
   * Deletes a message, or sets when its lease ends.
   *
   * @param receipt must be that of the lease, unless it is null
   * @param visibilityMillis from now on; -1 deletes
   */
  record Settle(String topic, Ulid id, @Nullable Receipt receipt, long visibilityMillis)
      implements QueueCommand {
    public static final long DELETE = -1;
  }

  /** Hands a message out once more under the lease that it has, which begins anew. */
  record Again(String topic, Fact.Leased lease, long visibilityMillis) implements QueueCommand {}

  /**
   * Moves ready messages to another queue.
   *
   * @param destination empty for the queue that each came from
   */
  record Move(String topic, String destination, int max) implements QueueCommand {}

  /** Keeps a move that is to be made, unless one is under way. */
  record StartMove(MoveTask task) implements QueueCommand {
    @Override
    public String topic() {
      return task.source();
    }
  }

  /** Says how far a move is. */
  record MoveStep(String topic, String id, long moved, MoveTask.Status then, String failure)
      implements QueueCommand {}
}
