package dev.ron.mailbox.core;

import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Message;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.state.IdempotencyKeys;
import dev.ron.mailbox.core.state.ShardLimits;
import dev.ron.mailbox.core.state.ShardState;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Decides whether a message is new and whether there is room for it.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class SendDecider {
  /** Long enough for a consumer to make room, short enough to be worth a retry. */
  private static final Duration REST = Duration.ofSeconds(1);

  private final int shard;
  private final ShardLimits limits;
  private final ShardState state;

  SendDecider(int shard, ShardLimits limits, ShardState state) {
    this.shard = shard;
    this.limits = limits;
    this.state = state;
  }

  ShardDecision decide(Command.Send send, long nowMillis, RandomGenerator random) {
    Optional<ShardDecision> known = known(send, nowMillis);
    if (known.isPresent()) {
      return known.get();
    }
    if (room() <= 0) {
      return ShardDecision.refused(full());
    }
    if (state.dead().size() >= limits.deadMax()) {
      return full("dead_capacity", limits.deadMax(), REST);
    }
    long roomAt = state.deduplication().roomAtMillis(nowMillis);
    if (roomAt > nowMillis) {
      return full("idem_keys", limits.keysMax(), Duration.ofMillis(roomAt - nowMillis));
    }
    Ulid id = Ulid.after(state.lastId(), nowMillis, shard, random);
    var message =
        new Message(
            id,
            send.topic(),
            send.group(),
            send.tsMillis(),
            send.idemKey(),
            send.payloadHash(),
            send.body().length,
            send.attrs(),
            send.corrId());
    long readyAt = send.delayMillis() == 0 ? Fact.AT_ONCE : nowMillis + send.delayMillis();
    return ShardDecision.of(
        new Outcome.Accepted(id, false), new Fact.Sent(message, send.body(), readyAt, nowMillis));
  }

  /** How many more living messages fit; below zero in a shard whose capacity was lowered. */
  int room() {
    return limits.capacity() - state.living();
  }

  MailboxFault full() {
    return new MailboxFault.Saturated("shard_capacity", limits.capacity(), REST);
  }

  /** What becomes of a send whose key is known; empty if it is not. */
  Optional<ShardDecision> known(Command.Send send, long nowMillis) {
    return Optional.ofNullable(state.deduplication().find(send.topic(), send.idemKey(), nowMillis))
        .map(known -> repeated(send, known));
  }

  private static ShardDecision repeated(Command.Send send, IdempotencyKeys.Entry known) {
    if (!known.isOf(send.payloadHash())) {
      return ShardDecision.refused(new MailboxFault.IdemMismatch(known.id().toString()));
    }
    return send.refuseDuplicate()
        ? ShardDecision.refused(new MailboxFault.Duplicate(known.id().toString()))
        : ShardDecision.of(new Outcome.Accepted(known.id(), true));
  }

  private static ShardDecision full(String what, int limit, Duration rest) {
    return ShardDecision.refused(new MailboxFault.Saturated(what, limit, rest));
  }
}
