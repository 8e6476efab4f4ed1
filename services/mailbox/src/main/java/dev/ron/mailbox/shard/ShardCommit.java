package dev.ron.mailbox.shard;

import dev.ron.journal.AppendResult;
import dev.ron.journal.JournalFault;
import dev.ron.mailbox.MailboxEvent.Died;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.MailboxMetrics;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.ShardDecision;
import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.QueueFact;
import dev.ron.mailbox.core.message.StoredMessage;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.journal.FactLog;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes a decision true: in the journal first, then in the shard, then in what others see of it.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class ShardCommit {
  private final ShardSlot slot;
  private final FactLog log;
  private final TopicShards topics;
  private final MailboxMetrics metrics;

  public ShardCommit(ShardSlot slot, FactLog log, MailboxMetrics metrics) {
    this.slot = slot;
    this.log = log;
    this.topics = slot.topics();
    this.metrics = metrics;
  }

  /** Journal first, then the state; null if that is done. */
  @Nullable MailboxFault run(ShardDecision decision, Shard shard) {
    long position = 0;
    if (decision.facts().stream().anyMatch(log.replication()::keeps)) {
      switch (log.append(decision.facts())) {
        case AppendResult.Taken taken -> {
          position = taken.first();
          slot.appended(taken.next());
        }
        case AppendResult.Refused(JournalFault fault) -> {
          return refusal(fault);
        }
      }
    }
    for (Fact fact : decision.facts()) {
      apply(fact, position, shard);
      if (fact instanceof QueueFact.Gone gone) {
        slot.polls.end(gone.topic());
      }
      position += log.replication().keeps(fact) ? 1 : 0;
    }
    return null;
  }

  public void apply(Fact fact, long position, Shard shard) {
    String topic = shard.topicOf(fact.id()).orElse("");
    OptionalLong before = shard.positionOf(fact.id());
    shard.apply(fact, position);
    switch (fact) {
      case Fact.Sent sent -> {
        slot.bodies().put(position, new StoredMessage(sent.message(), sent.body()));
        topics.has(sent.message().topic(), slot.number());
      }
      case Fact.Carried carried -> {
        before.ifPresent(slot.bodies()::forget);
        slot.bodies().put(position, new StoredMessage(carried.message(), carried.body()));
      }
      case Fact.Acked _, Fact.Dropped _ -> {
        before.ifPresent(slot.bodies()::forget);
        left(topic, shard);
      }
      case Fact.Died died -> {
        slot.events().publish(new Died(slot.number(), died.id(), topic, died.reason()));
        metrics.deadLetters().labelValues(metrics.topics().of(topic), died.reason().code()).inc();
        if (died.reason() == DeadLetterReason.INTEGRITY) {
          metrics.integrityFailures().labelValues("payload-hash").inc();
        }
      }
      case QueueFact queue -> show(queue, topic, shard);
      case Fact.Leased _, Fact.Extended _, Fact.Woken _, Fact.Returned _, Fact.Revived _ -> {}
    }
  }

  /** What other threads see of queues: which there are, and which shards have their messages. */
  private void show(QueueFact fact, String topic, Shard shard) {
    switch (fact) {
      case QueueFact.Kept(QueueRecord queue) -> topics.queues().put(queue);
      case QueueFact.Gone gone -> {
        topics.queues().remove(gone.topic());
        left(gone.topic(), shard);
      }
      case QueueFact.Purged purged -> {
        shard.queue(purged.topic()).ifPresent(topics.queues()::put);
        left(purged.topic(), shard);
      }
      case QueueFact.Moved moved -> {
        topics.has(moved.topic(), slot.number());
        left(topic, shard);
      }
      case QueueFact.Expired _ -> left(topic, shard);
      case QueueFact.MoveKept _ -> {}
    }
  }

  private void left(String topic, Shard shard) {
    if (!shard.hasTopic(topic)) {
      topics.hasNot(topic, slot.number());
    }
  }

  private static MailboxFault refusal(JournalFault fault) {
    return switch (fault) {
      case JournalFault.Busy busy ->
          new MailboxFault.Saturated("journal", busy.bufferBytes(), busy.rest());
      case JournalFault.TooLarge large ->
          new MailboxFault.FrameTooLarge("the message", large.bytes(), large.bytesMax());
      case JournalFault.Poisoned _,
          JournalFault.Closed _,
          JournalFault.Corrupt _,
          JournalFault.OtherVersion _,
          JournalFault.Trimmed _ ->
          new MailboxFault.Unavailable(fault.detail());
    };
  }
}
