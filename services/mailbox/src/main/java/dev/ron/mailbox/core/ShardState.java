package dev.ron.mailbox.core;

import dev.ron.mailbox.core.Item.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything a shard knows; changed by {@link #apply} and by nothing else.
 *
 * <p>Applying the same facts in the same order gives the same state, live or after a crash. The
 * facts that were not kept are missing then: what was in flight is ready.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class ShardState {
  private final ShardLimits limits;
  private final Map<Ulid, Item> items = new LinkedHashMap<>();
  private final Map<String, GroupFairness> ready = new HashMap<>();
  private final Bodies bodies = new Bodies();
  private final Delays delays = new Delays();
  private final VisibilityTimeouts timeouts = new VisibilityTimeouts();
  private final DeadLetters dead = new DeadLetters();
  private final Deduplication deduplication;
  private final Acknowledged acknowledged;
  private final TopicTally tally = new TopicTally();
  private Ulid lastId = Ulid.NONE;

  ShardState(ShardLimits limits) {
    this.limits = limits;
    this.deduplication = new Deduplication(limits.keysMax());
    this.acknowledged = new Acknowledged(limits.acksMax(), limits.replayMillis());
  }

  void apply(Fact fact) {
    switch (fact) {
      case Fact.Sent sent -> sent(sent);
      case Fact.Held held -> held(held);
      case Fact.Remembered key ->
          deduplication.remember(
              key.topic(),
              key.idemKey(),
              new Deduplication.Entry(key.id(), key.payloadHash(), key.untilMillis()),
              Long.MIN_VALUE);
      case Fact.Settled settled -> acknowledged.add(settled.id(), settled.atMillis());
      case Fact.Leased leased -> lease(leased);
      case Fact.Extended extended -> timeouts.extend(extended.id(), extended.untilMillis());
      case Fact.Woken woken -> place(lift(woken.id()), Fact.AT_ONCE);
      case Fact.Returned returned -> {
        Item item = lift(returned.id());
        item.failed(returned.attempts(), returned.lastError());
        place(item, returned.readyAtMillis());
      }
      case Fact.Acked acked -> end(acked);
      case Fact.Died died -> die(died);
      case Fact.Revived revived -> revive(revived);
      case Fact.Dropped dropped -> {
        Message message = dead.remove(dropped.id()).message();
        bodies.remove(dropped.id());
        tally.change(message.topic(), counts -> counts.dead--);
      }
    }
  }

  private void sent(Fact.Sent sent) {
    Message message = sent.message();
    Item item = takeIn(message, sent.body(), sent.atMillis());
    tally.pass(message.topic(), counts -> counts.sent++);
    place(item, sent.readyAtMillis());
    long until = sent.atMillis() + limits.replayMillis();
    deduplication.remember(
        message.topic(),
        message.idemKey(),
        new Deduplication.Entry(message.id(), message.payloadHash(), until),
        sent.atMillis());
  }

  private void held(Fact.Held held) {
    Item item = takeIn(held.message(), held.body(), held.sinceMillis());
    item.failed(held.attempts(), held.lastError());
    place(item, held.readyAtMillis());
  }

  private void end(Fact.Acked acked) {
    Item item = lift(acked.id());
    items.remove(acked.id());
    bodies.remove(acked.id());
    acknowledged.add(acked.id(), acked.atMillis());
    tally.change(item.message().topic(), counts -> counts.acked++);
  }

  private void revive(Fact.Revived revived) {
    Message message = dead.remove(revived.id()).message();
    tally.pass(message.topic(), counts -> counts.dead--);
    var item = new Item(message, revived.atMillis());
    items.put(message.id(), item);
    place(item, revived.readyAtMillis());
  }

  private Item takeIn(Message message, byte[] body, long sinceMillis) {
    if (message.id().compareTo(lastId) > 0) {
      lastId = message.id();
    }
    bodies.put(message.id(), body);
    var item = new Item(message, sinceMillis);
    items.put(message.id(), item);
    return item;
  }

  private void lease(Fact.Leased leased) {
    Item item = lift(leased.id());
    item.state(State.IN_FLIGHT);
    item.began();
    timeouts.add(leased.id(), leased.receipt(), leased.untilMillis());
    tally.change(item.message().topic(), counts -> counts.inFlight++);
  }

  private void die(Fact.Died died) {
    Item item = lift(died.id());
    items.remove(died.id());
    dead.add(
        new DeadLetter(
            item.message(), died.reason(), died.attempts(), died.lastError(), died.atMillis()));
    tally.change(item.message().topic(), counts -> counts.dead++);
  }

  /** Takes a living message out of the structure it is in; it must be placed or ended next. */
  private Item lift(Ulid id) {
    Item item = Objects.requireNonNull(items.get(id), "a living message");
    Message message = item.message();
    switch (item.state()) {
      case READY -> {
        GroupFairness queue = Objects.requireNonNull(ready.get(message.topic()), "a ready topic");
        queue.remove(message);
        if (queue.isEmpty()) {
          ready.remove(message.topic());
        }
        tally.pass(message.topic(), counts -> counts.ready--);
      }
      case DELAYED -> {
        delays.remove(id);
        tally.pass(message.topic(), counts -> counts.delayed--);
      }
      case IN_FLIGHT -> {
        timeouts.remove(id);
        tally.pass(message.topic(), counts -> counts.inFlight--);
      }
    }
    return item;
  }

  private void place(Item item, long readyAtMillis) {
    Message message = item.message();
    if (readyAtMillis == Fact.AT_ONCE) {
      item.state(State.READY);
      ready.computeIfAbsent(message.topic(), _ -> new GroupFairness()).offer(message);
      tally.change(message.topic(), counts -> counts.ready++);
    } else {
      item.state(State.DELAYED);
      delays.add(message.id(), readyAtMillis);
      tally.change(message.topic(), counts -> counts.delayed++);
    }
  }

  /** Facts that lead from nothing to this state, without what is never kept. */
  List<Fact> facts() {
    var facts = new ArrayList<Fact>();
    deduplication
        .entries()
        .forEach(
            (key, entry) ->
                facts.add(
                    new Fact.Remembered(
                        entry.id(),
                        key.topic(),
                        key.idemKey(),
                        entry.payloadHash(),
                        entry.untilMillis())));
    items.values().forEach(item -> facts.add(held(item)));
    for (DeadLetter letter : dead.all()) {
      Message message = letter.message();
      byte[] body = bodies.of(message.id());
      facts.add(new Fact.Held(message, body, Fact.AT_ONCE, letter.atMillis(), 0, ""));
      facts.add(
          new Fact.Died(
              message.id(),
              letter.attempts(),
              letter.reason(),
              letter.lastError(),
              letter.atMillis()));
    }
    acknowledged.all().forEach((id, at) -> facts.add(new Fact.Settled(id, at)));
    return facts;
  }

  private Fact held(Item item) {
    Message message = item.message();
    long readyAt =
        item.state() == State.DELAYED ? delays.readyAtMillis(message.id()) : Fact.AT_ONCE;
    return new Fact.Held(
        message,
        bodies.of(message.id()),
        readyAt,
        item.sinceMillis(),
        item.attemptsEnded(),
        item.lastError());
  }

  // ---- looking

  @Nullable Item find(Ulid id) {
    return items.get(id);
  }

  Iterable<Item> items() {
    return items.values();
  }

  int living() {
    return items.size();
  }

  /** The message of a topic whose turn it is. */
  @Nullable Ulid firstReady(String topic) {
    GroupFairness queue = ready.get(topic);
    return queue == null ? null : queue.first();
  }

  @Nullable Ulid oldestReady(String topic) {
    GroupFairness queue = ready.get(topic);
    return queue == null ? null : queue.oldest();
  }

  int readyCount() {
    return items.size() - delays.size() - timeouts.size();
  }

  Ulid lastId() {
    return lastId;
  }

  Bodies bodies() {
    return bodies;
  }

  Delays delays() {
    return delays;
  }

  VisibilityTimeouts timeouts() {
    return timeouts;
  }

  DeadLetters dead() {
    return dead;
  }

  Deduplication deduplication() {
    return deduplication;
  }

  Acknowledged acknowledged() {
    return acknowledged;
  }

  TopicTally tally() {
    return tally;
  }
}
