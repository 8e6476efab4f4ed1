package dev.ron.mailbox.core;

import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.QueueFact;
import dev.ron.mailbox.core.message.Ulid;
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

  /** What vanishes is a few bytes each, and a queue may lose as many as it takes in. */
  private static final int QUEUE_BATCH_MAX = 16 * BATCH_MAX;

  private static final String TIMED_OUT = "visibility timeout";

  private final RedriveRule redrive;
  private final ShardState state;

  ExpiryDecider(RedriveRule redrive, ShardState state) {
    this.redrive = redrive;
    this.state = state;
  }

  ShardDecision tick(long nowMillis) {
    var facts = new ArrayList<Fact>();
    for (Ulid id : state.timeouts().expired(nowMillis, BATCH_MAX)) {
      IndexedMessage item = Objects.requireNonNull(state.find(id), "a message in flight");
      facts.add(redrive.after(item, TIMED_OUT, () -> Fact.AT_ONCE, nowMillis));
    }
    for (Ulid id : state.delays().over(nowMillis, BATCH_MAX)) {
      facts.add(new Fact.Woken(id));
    }
    return new ShardDecision(facts, new Outcome.Counted(facts.size()));
  }

  /**
   * An old message dies before it is dropped, so that nothing vanishes without being seen; but one
   * of a queue vanishes, as is known of queues.
   */
  ShardDecision retain(Command.Retain retain, long nowMillis) {
    var facts = new ArrayList<Fact>();
    long youngest = retain.queueMillis().values().stream().reduce(retain.readyMillis(), Math::min);
    int max = retain.queueMillis().isEmpty() ? BATCH_MAX : QUEUE_BATCH_MAX;
    // In the order they came in, so the first that is too young for any age ends the search.
    state
        .index()
        .walk(
            number -> {
              IndexedMessage item = state.item(number);
              if (item.id().millis() > nowMillis - youngest) {
                return false;
              }
              Long ofQueue = retain.queueMillis().get(item.lane().topic());
              long age = ofQueue == null ? retain.readyMillis() : ofQueue;
              if (state.sinceMillis(number) <= nowMillis - age
                  && item.living()
                  && item.state() != IndexedMessage.State.IN_FLIGHT) {
                facts.add(
                    ofQueue == null ? tooOld(item, nowMillis) : new QueueFact.Expired(item.id()));
              }
              return facts.size() < max;
            });
    for (Ulid id : state.dead().diedUntil(nowMillis - retain.deadMillis(), BATCH_MAX)) {
      facts.add(new Fact.Dropped(id));
    }
    return new ShardDecision(facts, new Outcome.Counted(facts.size()));
  }

  private Fact tooOld(IndexedMessage item, long nowMillis) {
    return new Fact.Died(
        item.id(),
        item.attempts(),
        DeadLetterReason.RETENTION,
        state.lastError(item.id().number()),
        nowMillis);
  }
}
