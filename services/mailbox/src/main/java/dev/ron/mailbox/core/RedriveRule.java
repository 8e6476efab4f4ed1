package dev.ron.mailbox.core;

import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.QueueFact;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueTopic;
import dev.ron.mailbox.core.queue.RedriveTarget;
import dev.ron.mailbox.core.state.Attempts;
import dev.ron.mailbox.core.state.IndexedMessage;
import dev.ron.mailbox.core.state.ShardState;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a message whose delivery ended without success: it comes back, or it has
 * failed too often.
 *
 * <p>A topic without a record has the mailbox's own bound and its dead letters. A queue has the
 * bound of its record and another queue for its dead letters, or no bound; receives are counted
 * over all queues that a message was in. While the queue for its dead letters is gone a queue has
 * no bound either, since in no queue no consumer would find them.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class RedriveRule {
  private final Attempts attempts;
  private final ShardState state;
  private final Function<String, Optional<QueueRecord>> known;

  RedriveRule(Attempts attempts, ShardState state, Function<String, Optional<QueueRecord>> known) {
    this.attempts = attempts;
    this.state = state;
    this.known = known;
  }

  /**
   * @param readyAt asked for only if it comes back
   */
  Fact after(IndexedMessage item, String why, LongSupplier readyAt, long nowMillis) {
    String topic = item.lane().topic();
    long number = item.id().number();
    int so = item.attempts();
    QueueRecord queue = record(topic, number);
    if (queue == null && state.queues().movedFrom(number).isEmpty()) {
      return attempts.exhausted(so)
          ? new Fact.Died(item.id(), so, DeadLetterReason.MAX_ATTEMPTS, why, nowMillis)
          : new Fact.Returned(item.id(), so, readyAt.getAsLong(), why);
    }
    long first = firstMillis(item, nowMillis);
    RedriveTarget redrive = queue == null ? null : queue.settings().redrive();
    if (redrive != null
        && so >= redrive.receivesMax()
        && !redrive.topic().equals(topic)
        && known.apply(redrive.topic()).isPresent()) {
      // The age goes on in a standard queue and begins anew in a FIFO queue.
      long since = QueueTopic.isFifo(topic) ? nowMillis : 0;
      return new QueueFact.Moved(item.id(), redrive.topic(), topic, so, first, since);
    }
    return new Fact.Returned(item.id(), so, readyAt.getAsLong(), why, first);
  }

  /** A dead letter's queue may have its home in another shard than the dead letter. */
  private @Nullable QueueRecord record(String topic, long number) {
    QueueRecord own = state.queues().find(topic);
    return own != null || state.queues().movedFrom(number).isEmpty()
        ? own
        : known.apply(topic).orElse(null);
  }

  /** When a message of a queue that is in flight was received first. */
  private long firstMillis(IndexedMessage item, long nowMillis) {
    long first = state.queues().firstReceived(item.id().number());
    Fact.Leased lease = state.timeouts().find(item.id());
    long leased = lease == null ? 0 : lease.atMillis();
    return first != 0 ? first : leased != 0 ? leased : nowMillis;
  }
}
