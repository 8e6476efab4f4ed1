package dev.ron.mailbox.core;

import dev.ron.mailbox.MailboxFault;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * One part of the mailbox: a state machine without thread, clock or file.
 *
 * <p>{@link #decide} looks and answers facts; {@link #apply} writes them. Between the two the facts
 * that are {@link Fact#kept()} go to the journal. Recovery is {@code apply} in a loop.
 *
 * <p>What the clock decides is decided by {@link Command.Tick}, which comes before every other
 * command of the same moment; so a lease ends at its very millisecond.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class Shard {
  private final int number;
  private final ShardState state;
  private final Sending sending;
  private final Delivering delivering;
  private final Settling settling;
  private final Aging aging;

  public Shard(int number, ShardLimits limits) {
    this.number = number;
    this.state = new ShardState(limits);
    this.sending = new Sending(number, limits, state);
    this.delivering = new Delivering(state);
    this.settling = new Settling(limits.attempts(), state);
    this.aging = new Aging(limits.attempts(), state);
  }

  public int number() {
    return number;
  }

  public Decision decide(Command command, long nowMillis, RandomGenerator random) {
    return switch (command) {
      case Command.Send send -> sending.decide(send, nowMillis, random);
      case Command.Receive receive -> delivering.decide(receive, nowMillis, random);
      case Command.Ack ack -> settling.ack(ack, nowMillis);
      case Command.Nack nack -> settling.nack(nack, nowMillis, random);
      case Command.Extend extend -> settling.extend(extend, nowMillis);
      case Command.Tick _ -> aging.tick(nowMillis);
      case Command.Retain retain -> aging.retain(retain, nowMillis);
      case Command.Reprocess reprocess -> reprocess(reprocess, nowMillis);
      case Command.Drop drop -> drop(drop);
    };
  }

  public void apply(Fact fact) {
    state.apply(fact);
  }

  /** Spread over time by the rate asked for, so that a storm of them drowns nobody. */
  private Decision reprocess(Command.Reprocess command, long nowMillis) {
    List<DeadLetter> letters = state.dead().matching(command.filter(), command.max());
    var facts = new java.util.ArrayList<Fact>();
    for (int i = 0; i < letters.size(); i++) {
      long readyAt =
          command.perSecond() == 0 || i < command.perSecond()
              ? Fact.AT_ONCE
              : nowMillis + 1000L * (i / command.perSecond());
      facts.add(new Fact.Revived(letters.get(i).message().id(), readyAt, nowMillis));
    }
    return new Decision(facts, new Outcome.Counted(facts.size()));
  }

  private Decision drop(Command.Drop command) {
    List<Fact> facts =
        state.dead().matching(command.filter(), command.max()).stream()
            .<Fact>map(letter -> new Fact.Dropped(letter.message().id()))
            .toList();
    return new Decision(facts, new Outcome.Counted(facts.size()));
  }

  static MailboxFault unknown(Ulid id) {
    return new MailboxFault.UnknownMessage(id.toString());
  }

  // ---- looking

  /** Facts that lead from a new shard to this one, for a snapshot. */
  public List<Fact> facts() {
    return state.facts();
  }

  /** The next moment at which {@link Command.Tick} has something to do, or {@code Long.MAX}. */
  public long nextMillis() {
    return Math.min(state.timeouts().nextMillis(), state.delays().nextMillis());
  }

  public boolean hasReady(String topic) {
    return state.firstReady(topic) != null;
  }

  public int ready() {
    return state.readyCount();
  }

  public int inFlight() {
    return state.timeouts().size();
  }

  public int living() {
    return state.living();
  }

  public int dead() {
    return state.dead().size();
  }

  public long bytes() {
    return state.bodies().bytes();
  }

  public Optional<DeadLetter> deadLetter(Ulid id) {
    return Optional.ofNullable(state.dead().find(id));
  }

  /** The topic of a message that is here, dead or alive. */
  public Optional<String> topicOf(Ulid id) {
    Item item = state.find(id);
    return item == null
        ? deadLetter(id).map(letter -> letter.message().topic())
        : Optional.of(item.message().topic());
  }

  public boolean hasTopic(String topic) {
    return state.tally().all().containsKey(topic);
  }

  public List<DeadLetter> deadLetters(DeadFilter filter, int max) {
    return state.dead().matching(filter, max);
  }

  /** The body of a dead letter that was just looked up. */
  public byte[] deadBody(Ulid id) {
    return state.bodies().of(id);
  }

  public List<TopicView> topics() {
    return state.tally().all().entrySet().stream()
        .map(
            topic -> {
              TopicTally.Counts counts = topic.getValue();
              Ulid oldest = state.oldestReady(topic.getKey());
              return new TopicView(
                  topic.getKey(),
                  number,
                  counts.ready,
                  counts.delayed,
                  counts.inFlight,
                  counts.dead,
                  oldest == null ? 0 : oldest.millis(),
                  counts.sent,
                  counts.acked);
            })
        .toList();
  }
}
