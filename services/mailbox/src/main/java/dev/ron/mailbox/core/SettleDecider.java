package dev.ron.mailbox.core;

import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.state.Attempts;
import dev.ron.mailbox.core.state.IndexedMessage;
import dev.ron.mailbox.core.state.ShardState;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a consumer's word about a message does: ack, nack, extend.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class SettleDecider {
  private final Attempts attempts;
  private final ShardState state;

  SettleDecider(Attempts attempts, ShardState state) {
    this.attempts = attempts;
    this.state = state;
  }

  /** Idempotent: what was acknowledged is told so again, whatever receipt is shown. */
  ShardDecision ack(Command.Ack ack, long nowMillis) {
    if (state.acknowledged().contains(ack.id())) {
      return ShardDecision.of(new Outcome.Done());
    }
    IndexedMessage item = state.find(ack.id());
    MailboxFault fault =
        unsettled(ack.id(), item, ack.receipt(), ack.receipt() != null, ack.allowed());
    return fault == null
        ? ShardDecision.of(new Outcome.Done(), new Fact.Acked(ack.id(), nowMillis))
        : ShardDecision.refused(fault);
  }

  ShardDecision nack(Command.Nack nack, long nowMillis, RandomGenerator random) {
    IndexedMessage item = state.find(nack.id());
    MailboxFault fault = unsettled(nack.id(), item, nack.receipt(), true, nack.allowed());
    if (fault != null || item == null) {
      return ShardDecision.refused(fault == null ? Shard.unknown(nack.id()) : fault);
    }
    int so = item.attempts();
    if (attempts.exhausted(so)) {
      return ShardDecision.of(
          new Outcome.Done(),
          new Fact.Died(nack.id(), so, DeadLetterReason.MAX_ATTEMPTS, nack.reason(), nowMillis));
    }
    Long asked = nack.delayMillis();
    long rest = asked == null ? attempts.restMillis(so, random) : asked;
    long readyAt = rest == 0 ? Fact.AT_ONCE : nowMillis + rest;
    return ShardDecision.of(
        new Outcome.Done(), new Fact.Returned(nack.id(), so, readyAt, nack.reason()));
  }

  ShardDecision extend(Command.Extend extend, long nowMillis) {
    IndexedMessage item = state.find(extend.id());
    MailboxFault fault = unsettled(extend.id(), item, extend.receipt(), true, extend.allowed());
    return fault == null
        ? ShardDecision.of(
            new Outcome.Done(),
            new Fact.Extended(extend.id(), nowMillis + extend.visibilityMillis()))
        : ShardDecision.refused(fault);
  }

  /** Why the word does not count; null if it does. */
  private @Nullable MailboxFault unsettled(
      Ulid id,
      @Nullable IndexedMessage item,
      @Nullable Receipt receipt,
      boolean mustBeInFlight,
      Predicate<String> allowed) {
    if (item == null) {
      return Shard.unknown(id);
    }
    if (!allowed.test(item.lane().topic())) {
      return new MailboxFault.CapScope("the capability does not reach the topic of this message");
    }
    // A dead letter is settled by an operator, through the dead letters' own routes.
    return !item.living() || (mustBeInFlight && !state.timeouts().holds(id, receipt))
        ? new MailboxFault.ReceiptExpired(id.toString())
        : null;
  }
}
