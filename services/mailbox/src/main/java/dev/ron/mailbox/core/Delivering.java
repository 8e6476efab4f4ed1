package dev.ron.mailbox.core;

import dev.ron.blake3.Blake3;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * Decides which message a consumer gets, and looks at its bytes once more before it does.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class Delivering {
  private final ShardState state;

  Delivering(ShardState state) {
    this.state = state;
  }

  Decision decide(Command.Receive receive, long nowMillis, RandomGenerator random) {
    Ulid id = state.firstReady(receive.topic());
    if (id == null) {
      return Decision.of(new Outcome.Empty());
    }
    Item item = Objects.requireNonNull(state.find(id), "a ready message");
    Message message = item.message();
    if (message.payloadBytes() > receive.bytesMax()) {
      return Decision.of(new Outcome.Empty());
    }
    byte[] body = state.bodies().of(id);
    if (!Blake3.hash(body).equals(message.payloadHash())) {
      return Decision.of(
          new Outcome.Corrupt(id),
          new Fact.Died(
              id,
              item.attempts(),
              DeathReason.INTEGRITY,
              "the payload does not have its payload_hash",
              nowMillis));
    }
    Receipt receipt = Receipt.random(random);
    return Decision.of(
        new Outcome.Delivered(new Envelope(message, body, item.attempts() + 1, receipt)),
        new Fact.Leased(id, receipt, nowMillis + receive.visibilityMillis()));
  }
}
