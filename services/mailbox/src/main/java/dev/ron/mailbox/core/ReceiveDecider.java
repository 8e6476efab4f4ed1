package dev.ron.mailbox.core;

import dev.ron.blake3.Blake3;
import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.StoredMessage;
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
  private final ShardState state;
  private final MessageBodies bodies;

  ReceiveDecider(ShardState state, MessageBodies bodies) {
    this.state = state;
    this.bodies = bodies;
  }

  ShardDecision decide(Command.Receive receive, long nowMillis, RandomGenerator random) {
    OptionalLong first = state.firstReady(receive.topic());
    if (first.isEmpty()) {
      return ShardDecision.of(new Outcome.Empty());
    }
    IndexedMessage item = state.item(first.getAsLong());
    if (item.payloadBytes() > receive.bytesMax()) {
      return ShardDecision.of(new Outcome.Empty());
    }
    return switch (bodies.read(state.index().position(first.getAsLong()))) {
      case MessageBodies.Read.Damaged(var fault) -> corrupt(item, fault.detail(), nowMillis);
      case MessageBodies.Read.Found(StoredMessage stored) ->
          intact(item, stored)
              ? deliver(item, stored, nowMillis + receive.visibilityMillis(), random)
              : corrupt(item, "the payload does not have its payload_hash", nowMillis);
    };
  }

  private static boolean intact(IndexedMessage item, StoredMessage stored) {
    return stored.message().id().equals(item.id())
        && Blake3.hash(stored.body()).equals(stored.message().payloadHash());
  }

  private static ShardDecision deliver(
      IndexedMessage item, StoredMessage stored, long untilMillis, RandomGenerator random) {
    Receipt receipt = Receipt.random(random);
    var envelope = new Envelope(stored.message(), stored.body(), item.attempts() + 1, receipt);
    return ShardDecision.of(
        new Outcome.Delivered(envelope), new Fact.Leased(item.id(), receipt, untilMillis));
  }

  private static ShardDecision corrupt(IndexedMessage item, String why, long nowMillis) {
    return ShardDecision.of(
        new Outcome.Corrupt(item.id()),
        new Fact.Died(item.id(), item.attempts(), DeadLetterReason.INTEGRITY, why, nowMillis));
  }
}
