package dev.ron.mailbox.core;

import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.TopicOwner;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.QueueRefusal;
import dev.ron.mailbox.core.queue.QueueSettings;
import dev.ron.mailbox.core.state.Attempts;
import dev.ron.mailbox.core.state.IndexedMessage;
import dev.ron.mailbox.core.state.ShardState;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a consumer's word about a message does: ack, nack, extend.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class SettleDecider {
  /** A lease of a queue lasts no longer than this from its receive, however it is extended. */
  private static final long TOTAL_MILLIS_MAX = 1000L * QueueSettings.VISIBILITY_SECONDS_MAX;

  private final Attempts attempts;
  private final RedriveRule redrive;
  private final ShardState state;

  SettleDecider(Attempts attempts, RedriveRule redrive, ShardState state) {
    this.attempts = attempts;
    this.redrive = redrive;
    this.state = state;
  }

  /** Idempotent: what was acknowledged is told so again, whatever receipt is shown. */
  ShardDecision ack(Command.Ack ack, long nowMillis) {
    if (state.acknowledged().contains(ack.id(), ack.reach().owner())) {
      return ShardDecision.of(new Outcome.Done(true));
    }
    IndexedMessage item = state.find(ack.id());
    MailboxFault fault =
        unsettled(ack.id(), item, ack.receipt(), ack.receipt() != null, ack.reach());
    return fault == null
        ? ShardDecision.of(new Outcome.Done(), new Fact.Acked(ack.id(), nowMillis))
        : ShardDecision.refused(fault);
  }

  ShardDecision nack(Command.Nack nack, long nowMillis, RandomGenerator random) {
    IndexedMessage item = state.find(nack.id());
    MailboxFault fault = unsettled(nack.id(), item, nack.receipt(), true, nack.reach());
    if (fault != null || item == null) {
      return ShardDecision.refused(fault == null ? Shard.unknown(nack.id()) : fault);
    }
    Long asked = nack.delayMillis();
    LongSupplier readyAt =
        () -> {
          long rest = asked == null ? attempts.restMillis(item.attempts(), random) : asked;
          return rest == 0 ? Fact.AT_ONCE : nowMillis + rest;
        };
    return ShardDecision.of(
        new Outcome.Done(), redrive.after(item, nack.reason(), readyAt, nowMillis));
  }

  ShardDecision extend(Command.Extend extend, long nowMillis) {
    IndexedMessage item = state.find(extend.id());
    MailboxFault fault = unsettled(extend.id(), item, extend.receipt(), true, extend.reach());
    return fault == null
        ? ShardDecision.of(
            new Outcome.Done(),
            new Fact.Extended(
                extend.id(), nowMillis + extend.visibilityMillis(), isDurable(extend.id())))
        : ShardDecision.refused(fault);
  }

  private boolean isDurable(Ulid id) {
    Fact.Leased lease = state.timeouts().find(id);
    return lease != null && lease.durable();
  }

  /**
   * A word about a message of a queue. Without a receipt, a delete counts in any state, and a
   * change of visibility that comes too late is without effect.
   */
  ShardDecision settle(QueueCommand.Settle settle, long nowMillis) {
    boolean deletes = settle.visibilityMillis() == QueueCommand.Settle.DELETE;
    if (deletes && state.acknowledged().contains(settle.id(), TopicOwner.OPERATOR)) {
      return ShardDecision.of(new Outcome.Done(true));
    }
    IndexedMessage item = state.find(settle.id());
    if (item == null || !item.living() || !item.lane().topic().equals(settle.topic())) {
      return ShardDecision.refused(Shard.unknown(settle.id()));
    }
    Fact.Leased lease = state.timeouts().find(settle.id());
    if (settle.receipt() != null && (lease == null || !lease.receipt().equals(settle.receipt()))) {
      return ShardDecision.refused(new MailboxFault.ReceiptExpired(settle.id().toString()));
    }
    if (deletes) {
      return ShardDecision.of(new Outcome.Done(), new Fact.Acked(settle.id(), nowMillis));
    }
    if (lease == null) {
      return ShardDecision.of(new Outcome.Done());
    }
    long until = nowMillis + settle.visibilityMillis();
    if (lease.atMillis() != 0 && until > lease.atMillis() + TOTAL_MILLIS_MAX) {
      return QueueDecider.refused(QueueRefusal.VISIBILITY_TOO_LONG, settle.id().toString());
    }
    return ShardDecision.of(
        new Outcome.Done(), new Fact.Extended(settle.id(), until, lease.durable()));
  }

  /** Why the word does not count; null if it does. */
  private @Nullable MailboxFault unsettled(
      Ulid id,
      @Nullable IndexedMessage item,
      @Nullable Receipt receipt,
      boolean mustBeInFlight,
      TopicReach reach) {
    if (item == null) {
      return Shard.unknown(id);
    }
    MailboxFault beyond = reach.refusal(id, item.lane().topic());
    if (beyond != null) {
      return beyond;
    }
    // A dead letter is settled by an operator, through the dead letters' own routes.
    return !item.living() || (mustBeInFlight && !state.timeouts().holds(id, receipt))
        ? new MailboxFault.ReceiptExpired(id.toString())
        : null;
  }
}
