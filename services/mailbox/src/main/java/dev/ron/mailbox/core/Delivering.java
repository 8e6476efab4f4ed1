package dev.ron.mailbox.core;

import dev.ron.blake3.Blake3;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * Decides which message a consumer gets, and looks at its bytes once more before it does.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class Delivering {
  private final ShardState state;
  private final Bodies bodies;

  Delivering(ShardState state, Bodies bodies) {
    this.state = state;
    this.bodies = bodies;
  }

  Decision decide(Command.Receive receive, long nowMillis, RandomGenerator random) {
    OptionalLong first = state.firstReady(receive.topic());
    if (first.isEmpty()) {
      return Decision.of(new Outcome.Empty());
    }
    Item item = state.item(first.getAsLong());
    if (item.payloadBytes() > receive.bytesMax()) {
      return Decision.of(new Outcome.Empty());
    }
    return switch (bodies.read(state.index().position(first.getAsLong()))) {
      case Bodies.Read.Damaged(var fault) -> corrupt(item, fault.detail(), nowMillis);
      case Bodies.Read.Found(Letter letter) ->
          intact(item, letter)
              ? deliver(item, letter, nowMillis + receive.visibilityMillis(), random)
              : corrupt(item, "the payload does not have its payload_hash", nowMillis);
    };
  }

  private static boolean intact(Item item, Letter letter) {
    return letter.message().id().equals(item.id())
        && Blake3.hash(letter.body()).equals(letter.message().payloadHash());
  }

  private static Decision deliver(
      Item item, Letter letter, long untilMillis, RandomGenerator random) {
    Receipt receipt = Receipt.random(random);
    var envelope = new Envelope(letter.message(), letter.body(), item.attempts() + 1, receipt);
    return Decision.of(
        new Outcome.Delivered(envelope), new Fact.Leased(item.id(), receipt, untilMillis));
  }

  private static Decision corrupt(Item item, String why, long nowMillis) {
    return Decision.of(
        new Outcome.Corrupt(item.id()),
        new Fact.Died(item.id(), item.attempts(), DeathReason.INTEGRITY, why, nowMillis));
  }
}
