package dev.ron.mailbox.core;

import dev.ron.blake3.Blake3;
import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.StoredMessage;
import dev.ron.mailbox.core.queue.QueueRefusal;
import dev.ron.mailbox.core.queue.QueueTopic;
import dev.ron.mailbox.core.state.IndexedMessage;
import dev.ron.mailbox.core.state.ShardState;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * Decides which message a consumer gets, and looks at its bytes once more before it does.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class ReceiveDecider {
  /** As many as a queue lets out of one shard. */
  static final int QUEUE_IN_FLIGHT_MAX = 120_000;

  private final ShardState state;
  private final MessageBodies bodies;

  ReceiveDecider(ShardState state, MessageBodies bodies) {
    this.state = state;
    this.bodies = bodies;
  }

  ShardDecision decide(Command.Receive receive, long nowMillis, RandomGenerator random) {
    OptionalLong first = state.nextReady(receive.topic(), receive.taken());
    if (first.isEmpty()) {
      return ShardDecision.of(new Outcome.Empty());
    }
    if (QueueTopic.is(receive.topic())
        && state.tally().of(receive.topic()).inFlight >= QUEUE_IN_FLIGHT_MAX) {
      return QueueTopic.isFifo(receive.topic())
          ? ShardDecision.of(new Outcome.Empty())
          : QueueDecider.refused(QueueRefusal.TOO_MANY_IN_FLIGHT, receive.topic());
    }
    IndexedMessage item = state.item(first.getAsLong());
    if (item.payloadBytes() > receive.bytesMax()) {
      return ShardDecision.of(new Outcome.Empty());
    }
    return switch (bodies.read(state.index().position(first.getAsLong()))) {
      case MessageBodies.Read.Damaged(var fault) -> corrupt(item, fault.detail(), nowMillis);
      case MessageBodies.Read.Found(StoredMessage stored) ->
          intact(item, stored)
              ? deliver(item, stored, nowMillis, receive.visibilityMillis(), random)
              : corrupt(item, "the payload does not have its payload_hash", nowMillis);
    };
  }

  ShardDecision again(QueueCommand.Again again, long nowMillis) {
    IndexedMessage item = state.find(again.lease().id());
    if (item == null
        || !(bodies.read(state.index().position(item.id().number()))
            instanceof MessageBodies.Read.Found(StoredMessage stored))) {
      return ShardDecision.of(new Outcome.Empty());
    }
    long first = state.queues().firstReceived(item.id().number());
    var envelope =
        new Envelope(
            stored.message(),
            stored.body(),
            item.attempts(),
            again.lease().receipt(),
            first == 0 ? again.lease().atMillis() : first,
            state.queues().movedFrom(item.id().number()));
    return ShardDecision.of(
        new Outcome.Delivered(envelope),
        new Fact.Extended(
            item.id(), nowMillis + again.visibilityMillis(), again.lease().durable()));
  }

  private static boolean intact(IndexedMessage item, StoredMessage stored) {
    return stored.message().id().equals(item.id())
        && Blake3.hash(stored.body()).equals(stored.message().payloadHash());
  }

  private ShardDecision deliver(
      IndexedMessage item,
      StoredMessage stored,
      long nowMillis,
      long visibilityMillis,
      RandomGenerator random) {
    String topic = item.lane().topic();
    Receipt receipt = Receipt.random(random);
    long atMillis = QueueTopic.is(topic) ? nowMillis : 0;
    long first = state.queues().firstReceived(item.id().number());
    var envelope =
        new Envelope(
            stored.message(),
            stored.body(),
            item.attempts() + 1,
            receipt,
            first == 0 ? atMillis : first,
            state.queues().movedFrom(item.id().number()));
    var leased =
        new Fact.Leased(
            item.id(), receipt, nowMillis + visibilityMillis, atMillis, QueueTopic.isFifo(topic));
    return ShardDecision.of(new Outcome.Delivered(envelope), leased);
  }

  private static ShardDecision corrupt(IndexedMessage item, String why, long nowMillis) {
    return ShardDecision.of(
        new Outcome.Corrupt(item.id()),
        new Fact.Died(item.id(), item.attempts(), DeadLetterReason.INTEGRITY, why, nowMillis));
  }
}
