package dev.ron.mailbox.core;

import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.state.Attempts;
import dev.ron.mailbox.core.state.IndexedMessage;
import dev.ron.mailbox.core.state.ShardState;
import java.util.ArrayList;
import java.util.Objects;

/**
 * Decides what time alone brings about: leases and delays that end, messages that are too old.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class ExpiryDecider {
  /** So many at a time, so that a mass expiry does not hold up those who ask. */
  static final int BATCH_MAX = 256;

  private static final String TIMED_OUT = "visibility timeout";

  private final Attempts attempts;
  private final ShardState state;

  ExpiryDecider(Attempts attempts, ShardState state) {
    this.attempts = attempts;
    this.state = state;
  }

  ShardDecision tick(long nowMillis) {
    var facts = new ArrayList<Fact>();
    for (Ulid id : state.timeouts().expired(nowMillis, BATCH_MAX)) {
      int so = Objects.requireNonNull(state.find(id), "a message in flight").attempts();
      facts.add(
          attempts.exhausted(so)
              ? new Fact.Died(id, so, DeadLetterReason.MAX_ATTEMPTS, TIMED_OUT, nowMillis)
              : new Fact.Returned(id, so, Fact.AT_ONCE, TIMED_OUT));
    }
    for (Ulid id : state.delays().over(nowMillis, BATCH_MAX)) {
      facts.add(new Fact.Woken(id));
    }
    return new ShardDecision(facts, new Outcome.Counted(facts.size()));
  }

  /** An old message dies before it is dropped, so that nothing vanishes without being seen. */
  ShardDecision retain(Command.Retain retain, long nowMillis) {
    var facts = new ArrayList<Fact>();
    // In the order they came in, so the first young one ends the search.
    state
        .index()
        .walk(
            number -> {
              boolean old = state.sinceMillis(number) <= nowMillis - retain.readyMillis();
              IndexedMessage item = state.item(number);
              if (old && item.living() && item.state() != IndexedMessage.State.IN_FLIGHT) {
                facts.add(
                    new Fact.Died(
                        item.id(),
                        item.attempts(),
                        DeadLetterReason.RETENTION,
                        state.lastError(number),
                        nowMillis));
              }
              return (old || !item.living()) && facts.size() < BATCH_MAX;
            });
    for (Ulid id : state.dead().diedUntil(nowMillis - retain.deadMillis(), BATCH_MAX)) {
      facts.add(new Fact.Dropped(id));
    }
    return new ShardDecision(facts, new Outcome.Counted(facts.size()));
  }
}
