package dev.ron.mailbox.core;

import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Message;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.QueueRecord;
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
    return accepted(send, nowMillis, random);
  }

  /**
   * A message for a queue. It has no part in the capacity of the topics that are not queues: memory
   * and disk are its bounds, as for every message.
   */
  ShardDecision put(QueueCommand.Put put, long nowMillis, RandomGenerator random) {
    QueueRecord queue = state.queues().find(put.topic());
    if (queue == null) {
      return QueueDecider.none(put.topic());
    }
    int bytesMax = queue.settings().messageBytesMax();
    if (put.bytes() > bytesMax) {
      return ShardDecision.refused(
          new MailboxFault.FrameTooLarge("the message", put.bytes(), bytesMax));
    }
    String key = key(queue, put);
    IdempotencyKeys.Entry known = state.deduplication().find(put.topic(), key, nowMillis);
    if (known != null) {
      return ShardDecision.of(new Outcome.Accepted(known.id(), true));
    }
    long roomAt = state.deduplication().roomAtMillis(nowMillis);
    if (!key.isEmpty() && roomAt > nowMillis) {
      if (!queue.fifo()) {
        return put(put.unlessRelied(), nowMillis, random);
      }
      return full("idem_keys", limits.keysMax(), Duration.ofMillis(roomAt - nowMillis));
    }
    boolean own = queue.fifo() || put.delaySeconds() < 0;
    long delay = 1000L * (own ? queue.settings().delaySeconds() : put.delaySeconds());
    var send =
        new Command.Send(
            put.topic(),
            key,
            put.body(),
            put.payloadHash(),
            put.attrs(),
            delay,
            put.group(),
            put.corrId(),
            put.tsMillis(),
            false);
    return accepted(send, nowMillis, random);
  }

  /**
   * What a repetition is known by: on a FIFO queue the sender's id, within the queue's generation
   * and maybe its group; on a standard queue the client's call with the body, since there are
   * clients that call everything by one name. Empty: it is not remembered.
   */
  private static String key(QueueRecord queue, QueueCommand.Put put) {
    if (queue.fifo() && !put.dedupId().isEmpty()) {
      String within = queue.dedupPerGroup() ? put.group() : "";
      return "%d %d %s %s".formatted(queue.generation(), within.length(), within, put.dedupId());
    }
    return put.retryKey().isEmpty()
        ? ""
        : "retry " + put.retryKey() + " " + put.payloadHash().hex();
  }

  private ShardDecision accepted(Command.Send send, long nowMillis, RandomGenerator random) {
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

  /**
   * How many more living messages outside queues fit; below zero in a shard whose capacity was
   * lowered.
   */
  int room() {
    return limits.capacity() - (state.living() - state.tally().queueLiving());
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
