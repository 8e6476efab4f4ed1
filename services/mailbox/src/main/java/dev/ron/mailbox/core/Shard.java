package dev.ron.mailbox.core;

import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.message.DeadLetterEntry;
import dev.ron.mailbox.core.message.DeadLetterFilter;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.OwnerBytes;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.StoredMessage;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.core.queue.QueueCounts;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.state.IndexedMessage;
import dev.ron.mailbox.core.state.ShardImage;
import dev.ron.mailbox.core.state.ShardLimits;
import dev.ron.mailbox.core.state.ShardState;
import dev.ron.mailbox.core.state.TopicTally;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

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
  /** Payloads that one command carries, beside the last; four of the largest fit the journal. */
  private static final int CARRY_BYTES = 256 << 10;

  private final int number;
  private final ShardState state;
  private final SendDecider sending;
  private final ReceiveDecider delivering;
  private final SettleDecider settling;
  private final ExpiryDecider aging;
  private final QueueDecider queues;
  private final MessageBodies bodies;

  /**
   * @param known the record of a queue of any shard, as far as it is known here: no message is
   *     moved to a queue that is gone, and one that was moved here has the rules of its queue
   * @param image used up by this shard; null for one that is empty
   */
  public Shard(
      int number,
      ShardLimits limits,
      MessageBodies bodies,
      Function<String, Optional<QueueRecord>> known,
      @Nullable ShardImage image) {
    this.number = number;
    this.state =
        image == null ? new ShardState(number, limits) : new ShardState(number, limits, image);
    this.bodies = bodies;
    var redrive = new RedriveRule(limits.attempts(), state, known);
    this.sending = new SendDecider(number, limits, state);
    this.delivering = new ReceiveDecider(state, bodies);
    this.settling = new SettleDecider(limits.attempts(), redrive, state);
    this.aging = new ExpiryDecider(redrive, state);
    this.queues = new QueueDecider(number, state, topic -> known.apply(topic).isPresent());
  }

  public int number() {
    return number;
  }

  public ShardDecision decide(Command command, long nowMillis, RandomGenerator random) {
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
      case Command.Carry carry -> carry(carry);
      case QueueCommand queue -> decide(queue, nowMillis, random);
    };
  }

  private ShardDecision decide(QueueCommand command, long nowMillis, RandomGenerator random) {
    return switch (command) {
      case QueueCommand.Put put -> sending.put(put, nowMillis, random);
      case QueueCommand.Again again -> delivering.again(again, nowMillis);
      case QueueCommand.Settle settle -> settling.settle(settle, nowMillis);
      case QueueCommand.Make make -> queues.make(make, nowMillis);
      case QueueCommand.Find find -> queues.find(find);
      case QueueCommand.Change change -> queues.change(change, nowMillis);
      case QueueCommand.Delete delete -> queues.delete(delete, nowMillis);
      case QueueCommand.Purge purge -> queues.purge(purge, nowMillis);
      case QueueCommand.Clear clear -> queues.clear(clear, nowMillis);
      case QueueCommand.Move move -> queues.move(move, nowMillis);
      case QueueCommand.StartMove start -> queues.start(start);
      case QueueCommand.MoveStep step -> queues.step(step);
    };
  }

  /**
   * @param position of its record in the journal; any number for a fact that is not kept
   */
  public void apply(Fact fact, long position) {
    state.apply(fact, position);
  }

  /**
   * Spread over time by the rate asked for, so that a storm of them drowns no consumer. What does
   * not fit beside the living stays dead.
   */
  private ShardDecision reprocess(Command.Reprocess command, long nowMillis) {
    List<DeadLetterEntry> letters = deaths(command.filter(), command.max());
    int fitting = Math.clamp(sending.room(), 0, letters.size());
    var facts = new ArrayList<Fact>();
    for (int i = 0; i < fitting; i++) {
      long readyAt =
          command.perSecond() == 0 || i < command.perSecond()
              ? Fact.AT_ONCE
              : nowMillis + 1000L * (i / command.perSecond());
      facts.add(new Fact.Revived(letters.get(i).id(), readyAt, nowMillis));
    }
    int left = letters.size() - fitting;
    Outcome outcome =
        left == 0
            ? new Outcome.Counted(fitting)
            : new Outcome.Partly(fitting, left, sending.full());
    return new ShardDecision(facts, outcome);
  }

  private ShardDecision drop(Command.Drop command) {
    List<Fact> facts =
        deaths(command.filter(), command.max()).stream()
            .<Fact>map(death -> new Fact.Dropped(death.id()))
            .toList();
    return new ShardDecision(facts, new Outcome.Counted(facts.size()));
  }

  /** What cannot be read is left where it is, and so is the journal before it. */
  private ShardDecision carry(Command.Carry command) {
    var facts = new ArrayList<Fact>();
    long bytes = 0;
    for (long each : command.numbers()) {
      if (bytes < CARRY_BYTES
          && state.index().contains(each)
          && state.index().position(each) < command.before()
          && bodies.read(state.index().position(each))
              instanceof MessageBodies.Read.Found(var stored)) {
        facts.add(new Fact.Carried(stored.message(), stored.body()));
        bytes += stored.body().length;
      }
    }
    return new ShardDecision(facts, new Outcome.Counted(facts.size()));
  }

  private List<DeadLetterEntry> deaths(DeadLetterFilter filter, int max) {
    return state.dead().matching(death -> filter.matches(death, topic(death.id())), max);
  }

  private String topic(Ulid id) {
    return state.item(id.number()).lane().topic();
  }

  static MailboxFault unknown(Ulid id) {
    return new MailboxFault.UnknownMessage(id.toString());
  }

  // ---- looking

  /** What a snapshot keeps of this shard; cheap, see {@link ShardImage}. */
  public ShardImage image() {
    return state.image();
  }

  /** The next moment at which {@link Command.Tick} has something to do, or {@code Long.MAX}. */
  public long nextMillis() {
    return Math.min(state.timeouts().nextMillis(), state.delays().nextMillis());
  }

  public boolean hasReady(String topic) {
    return state.firstReady(topic).isPresent();
  }

  public int ready() {
    return state.readyCount();
  }

  public int inFlight() {
    return state.timeouts().size();
  }

  /** Without those of queues, which have a bound of their own. */
  public int inFlightBeside() {
    return inFlight() - state.tally().queueInFlight();
  }

  public int living() {
    return state.living();
  }

  public int dead() {
    return state.dead().size();
  }

  /** The payloads of all messages here, dead ones included. */
  public long bytes() {
    return state.payloadBytes();
  }

  /** The same by the tenants whose topics they are in. */
  public OwnerBytes ownerBytes() {
    return state.ownerBytes();
  }

  /** Where the record of a message that is here lies. */
  public OptionalLong positionOf(Ulid id) {
    return state.find(id) == null
        ? OptionalLong.empty()
        : OptionalLong.of(state.index().position(id.number()));
  }

  /** What is in flight, as the facts that made it so. */
  public List<Fact.Leased> leases() {
    return state.timeouts().all();
  }

  /** Whether a message is in flight under this very lease, which was not changed since. */
  public boolean holds(Fact.Leased lease) {
    return lease.equals(state.timeouts().find(lease.id()));
  }

  /** Those that the journal keeps on one machine. */
  public List<Fact.Leased> durableLeases() {
    return state.timeouts().all().stream().filter(Fact.Leased::durable).toList();
  }

  /** Those of this shard that are not in flight under their receipt any more. */
  public Set<Ulid> settled(Map<Ulid, Receipt> receipts) {
    var settled = new HashSet<Ulid>();
    receipts.forEach(
        (id, receipt) -> {
          if (id.shard() == number && !state.timeouts().holds(id, receipt)) {
            settled.add(id);
          }
        });
    return settled;
  }

  /** Memory that orders the messages. */
  public long indexBytes() {
    return state.indexBytes();
  }

  /** Memory that remembers keys. */
  public long keyBytes() {
    return state.deduplication().bytes();
  }

  /** When the oldest remembered key may be forgotten. */
  public long oldestKeyEndsMillis(long nowMillis) {
    return state.deduplication().oldestEndsMillis(nowMillis);
  }

  /**
   * How many messages of its lane that were sent later were handed out before this one, which is
   * about to be; see {@code ReorderDepth}. One that was told to wait is not out of order.
   */
  public int reorderDepth(Ulid id) {
    long number = id.number();
    return state.index().hasWaited(number) ? 0 : state.item(number).lane().reorderDepth.of(number);
  }

  public Optional<DeadLetter> deadLetter(Ulid id) {
    return Optional.ofNullable(state.dead().find(id)).map(this::deadLetter);
  }

  private DeadLetter deadLetter(DeadLetterEntry death) {
    long each = death.id().number();
    return switch (bodies.read(state.index().position(each))) {
      case MessageBodies.Read.Found(StoredMessage stored) ->
          new DeadLetter(stored.message(), stored.body(), death);
      case MessageBodies.Read.Damaged(var fault) ->
          DeadLetter.damaged(state.item(each), death, fault.detail());
    };
  }

  /** What a send whose key is known here is told; empty if it is not. */
  public Optional<Outcome> known(Command.Send send, long nowMillis) {
    return sending.known(send, nowMillis).map(ShardDecision::outcome);
  }

  /** The topic of a message that is here, dead or alive. */
  public Optional<String> topicOf(Ulid id) {
    return Optional.ofNullable(state.find(id)).map(item -> item.lane().topic());
  }

  public boolean hasTopic(String topic) {
    return state.tally().all().containsKey(topic);
  }

  public List<DeadLetter> deadLetters(DeadLetterFilter filter, int max) {
    return deaths(filter, max).stream().map(this::deadLetter).toList();
  }

  public List<TopicView> topics() {
    return state.tally().all().entrySet().stream()
        .map(
            topic -> {
              TopicTally.Counts counts = topic.getValue();
              OptionalLong oldest = state.oldestReady(topic.getKey());
              return new TopicView(
                  topic.getKey(),
                  number,
                  counts.ready,
                  counts.delayed,
                  counts.inFlight,
                  counts.dead,
                  oldest.isEmpty() ? 0 : state.item(oldest.getAsLong()).id().millis(),
                  counts.sent,
                  counts.acked);
            })
        .toList();
  }

  // ---- looking at queues

  /** The queues whose home this shard is. */
  public List<QueueRecord> queues() {
    return state.queues().all();
  }

  public Optional<QueueRecord> queue(String topic) {
    return Optional.ofNullable(state.queues().find(topic));
  }

  /** Whether a topic's queue was deleted so lately that none of its name can be there again. */
  public boolean isGone(String topic, long nowMillis) {
    return state.queues().blockedUntil(topic) > nowMillis;
  }

  public QueueCounts queueCounts(String topic) {
    TopicTally.Counts counts = state.tally().of(topic);
    return new QueueCounts(counts.ready, counts.delayed, counts.inFlight);
  }

  /** Whether a queue has a ready message that a move can take nowhere. */
  public boolean stuck(String topic, String destination) {
    return queues.stuck(topic, destination);
  }

  /** Moves of a queue's messages, the latest first. */
  public List<MoveTask> moves(String source) {
    return state.queues().moves(source);
  }

  public List<MoveTask> runningMoves() {
    return state.queues().running();
  }

  /**
   * In the order of their sends; one whose record is damaged is passed over.
   *
   * @param bytesMax of their bodies; the last one may go past it
   */
  public List<PeekedMessage> peek(String topic, int max, long bytesMax) {
    var seen = new ArrayList<PeekedMessage>();
    long[] left = {bytesMax};
    state.walk(
        topic,
        each -> {
          if (bodies.read(state.index().position(each))
              instanceof MessageBodies.Read.Found(StoredMessage stored)) {
            seen.add(peeked(each, stored));
            left[0] -= stored.body().length;
          }
          return seen.size() < max && left[0] > 0;
        });
    return seen;
  }

  private PeekedMessage peeked(long each, StoredMessage stored) {
    IndexedMessage item = state.item(each);
    var envelope =
        new Envelope(
            stored.message(),
            stored.body(),
            item.attempts(),
            new Receipt(0),
            state.queues().firstReceived(each),
            state.queues().movedFrom(each));
    return new PeekedMessage(
        envelope, item.state().name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }
}
