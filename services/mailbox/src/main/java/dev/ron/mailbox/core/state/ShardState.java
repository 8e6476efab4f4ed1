package dev.ron.mailbox.core.state;

import dev.ron.mailbox.core.message.DeadLetterEntry;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Message;
import dev.ron.mailbox.core.message.OwnerBytes;
import dev.ron.mailbox.core.message.QueueFact;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.core.queue.QueueImage;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.state.IndexedMessage.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Everything a shard knows; changed by {@link #apply} and by nothing else.
 *
 * <p>Applying the same facts in the same order gives the same state, live or after a crash. The
 * facts that were not kept are missing then: what was in flight is ready.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class ShardState {
  /** Entries of the maps that only some messages are in, boxes and all. */
  private static final int SIDE_BYTES = 150;

  private final MessageIndex index;
  private final MessageGroups lanes;
  private final ReadyTopics ready;
  private final Map<Long, String> errors = new HashMap<>();
  private final Map<Long, Long> sentAgain = new HashMap<>();
  private final Delays delays = new Delays();
  private final VisibilityTimeouts timeouts = new VisibilityTimeouts();
  private final DeadLetters dead = new DeadLetters();
  private final IdempotencyKeys deduplication;
  private final RecentAcks acknowledged;
  private final TopicTally tally = new TopicTally();
  private final QueueTable queues;
  private Ulid lastId;
  private final OwnerBytes ownerBytes = new OwnerBytes();
  private long payloadBytes;

  public ShardState(int shard, ShardLimits limits) {
    this.index = new MessageIndex(shard);
    this.lanes = new MessageGroups(index);
    this.ready = new ReadyTopics(index);
    this.deduplication = new IdempotencyKeys(limits.keysMax(), limits.replayMillis());
    this.acknowledged = new RecentAcks(limits.acksMax(), limits.replayMillis());
    this.queues = new QueueTable(QueueImage.NONE);
    this.lastId = Ulid.NONE;
  }

  /** The state of an image, whose pages become this state's own; leases are not in it. */
  public ShardState(int shard, ShardLimits limits, ShardImage image) {
    this.index = new MessageIndex(shard, image.pages());
    this.lanes = new MessageGroups(index, image.lanes());
    this.ready = new ReadyTopics(index);
    this.deduplication = new IdempotencyKeys(limits.keysMax(), limits.replayMillis(), image.keys());
    this.acknowledged = new RecentAcks(limits.acksMax(), limits.replayMillis(), image.acks());
    this.queues = new QueueTable(image.queues());
    this.lastId = image.lastId();
    errors.putAll(image.errors());
    sentAgain.putAll(image.sentAgain());
    image.deaths().forEach(dead::add);
    index.walk(
        number -> {
          settle(number, image);
          return true;
        });
    lanes.forEach(
        lane -> {
          if (!lane.ready().isEmpty()) {
            ready.admit(lane);
            tally.change(lane.topic(), counts -> counts.ready += lane.ready().size());
          }
        });
  }

  private void settle(long number, ShardImage image) {
    MessageGroup lane = lanes.of(index.lane(number));
    lane.messages++;
    payloadBytes += index.payloadBytes(number);
    ownerBytes.add(lane.topic(), index.payloadBytes(number));
    switch (index.state(number)) {
      case READY -> lane.ready().put(number);
      case DELAYED ->
          place(number, lane, Objects.requireNonNull(image.delayed().get(number), "a delay"));
      case IN_FLIGHT -> {
        index.attempts(number, index.attempts(number) - 1);
        index.state(number, State.READY);
        lane.ready().put(number);
      }
      case DEAD -> tally.change(lane.topic(), counts -> counts.dead++);
      case LIFTED -> throw new IllegalStateException("an image of half a move");
    }
  }

  /**
   * @param position of the fact's record in the journal, which the message is read from later; of
   *     no meaning for a fact that is not kept
   */
  public void apply(Fact fact, long position) {
    long number = fact.id().number();
    switch (fact) {
      case Fact.Sent sent -> sent(sent, position);
      case Fact.Carried _ -> {
        if (index.contains(fact.id())) {
          index.position(number, position);
        }
      }
      case Fact.Leased leased -> lease(leased);
      case Fact.Extended extended -> timeouts.extend(extended.id(), extended.untilMillis());
      case Fact.Woken _ -> place(number, lift(number), Fact.AT_ONCE);
      case Fact.Returned returned -> {
        MessageGroup lane = lift(number);
        index.attempts(number, returned.attempts());
        errors.put(number, returned.lastError());
        if (returned.firstMillis() != 0) {
          queues.received(number, returned.firstMillis());
        }
        place(number, lane, returned.readyAtMillis());
      }
      case Fact.Acked acked -> {
        MessageGroup lane = lift(number);
        forget(number, lane);
        acknowledged.add(acked.id(), lane.topic(), acked.atMillis());
        tally.change(lane.topic(), counts -> counts.acked++);
      }
      case Fact.Died died -> die(died);
      case Fact.Revived revived -> revive(revived);
      case Fact.Dropped dropped -> {
        dead.remove(dropped.id());
        MessageGroup lane = lanes.of(index.lane(number));
        forget(number, lane);
        tally.change(lane.topic(), counts -> counts.dead--);
      }
      case QueueFact queueFact -> apply(queueFact);
    }
  }

  private void apply(QueueFact fact) {
    switch (fact) {
      case QueueFact.Kept(QueueRecord queue) -> {
        delayAnew(queue);
        queues.keep(queue);
      }
      case QueueFact.Gone gone -> {
        purge(gone.topic());
        queues.remove(gone.topic(), gone.atMillis());
      }
      case QueueFact.Purged purged -> {
        purge(purged.topic());
        queues.purged(purged.topic(), purged.atMillis());
      }
      case QueueFact.MoveKept(_, MoveTask task) -> queues.keep(task);
      case QueueFact.Moved moved -> move(moved);
      case QueueFact.Expired(Ulid id) -> end(id.number());
    }
  }

  /**
   * A FIFO queue's delay counts for what waits in it already. What was over by then stays over: the
   * fact that woke it is not kept, so nothing else tells the two apart after a crash. What a
   * consumer had and gave back waits for a time of its own.
   */
  private void delayAnew(QueueRecord queue) {
    QueueRecord before = queues.find(queue.topic());
    int seconds = queue.settings().delaySeconds();
    if (!queue.fifo() || before == null || before.settings().delaySeconds() == seconds) {
      return;
    }
    for (Ulid id : delays.after(queue.changedMillis())) {
      boolean fresh = index.attempts(id.number()) == 0;
      if (fresh && lanes.of(index.lane(id.number())).topic().equals(queue.topic())) {
        long readyAt = id.millis() + 1000L * seconds;
        long at = readyAt > queue.changedMillis() ? readyAt : Fact.AT_ONCE;
        place(id.number(), lift(id.number()), at);
      }
    }
  }

  private void purge(String topic) {
    var numbers = new ArrayList<Long>();
    walk(topic, numbers::add);
    numbers.forEach(this::end);
  }

  /** A living message is gone without a word of its consumer. */
  private void end(long number) {
    MessageGroup lane = lift(number);
    forget(number, lane);
    tally.change(lane.topic(), _ -> {});
  }

  /** In place: the message stays in this shard, and its body where it lies. */
  private void move(QueueFact.Moved moved) {
    long number = moved.id().number();
    MessageGroup from = lift(number);
    String group = from.group();
    lanes.leave(from);
    tally.change(from.topic(), _ -> {});
    MessageGroup to = lanes.enter(moved.topic(), group);
    ownerBytes.add(from.topic(), -index.payloadBytes(number));
    ownerBytes.add(moved.topic(), index.payloadBytes(number));
    index.lane(number, to.number());
    index.queued(number, false);
    index.attempts(number, moved.attempts());
    index.waited(number);
    queues.moved(number, moved.from());
    queues.received(number, moved.firstMillis());
    if (moved.sinceMillis() != 0) {
      sentAgain.put(number, moved.sinceMillis());
    }
    place(number, to, Fact.AT_ONCE);
  }

  private void sent(Fact.Sent sent, long position) {
    Message message = sent.message();
    if (message.id().compareTo(lastId) > 0) {
      lastId = message.id();
    }
    MessageGroup lane = lanes.enter(message.topic(), message.group());
    payloadBytes += message.payloadBytes();
    ownerBytes.add(message.topic(), message.payloadBytes());
    index.add(message.id(), position, message.payloadBytes(), lane.number());
    tally.pass(message.topic(), counts -> counts.sent++);
    place(message.id().number(), lane, sent.readyAtMillis());
    deduplication.remember(message, sent.atMillis());
  }

  private void forget(long number, MessageGroup lane) {
    payloadBytes -= index.payloadBytes(number);
    ownerBytes.add(lane.topic(), -index.payloadBytes(number));
    index.remove(number);
    errors.remove(number);
    sentAgain.remove(number);
    queues.forget(number);
    lanes.leave(lane);
  }

  private void lease(Fact.Leased leased) {
    long number = leased.id().number();
    MessageGroup lane = lift(number);
    index.state(number, State.IN_FLIGHT);
    index.attempts(number, index.attempts(number) + 1);
    lanes.handedOut(lane, number);
    timeouts.add(leased);
    ready.hold(lane, number);
    tally.change(lane.topic(), counts -> counts.inFlight++);
  }

  private void die(Fact.Died died) {
    long number = died.id().number();
    MessageGroup lane = lift(number);
    index.state(number, State.DEAD);
    errors.remove(number);
    sentAgain.remove(number);
    dead.add(
        new DeadLetterEntry(
            died.id(), died.reason(), died.attempts(), died.lastError(), died.atMillis()));
    tally.change(lane.topic(), counts -> counts.dead++);
  }

  private void revive(Fact.Revived revived) {
    long number = revived.id().number();
    dead.remove(revived.id());
    MessageGroup lane = lanes.of(index.lane(number));
    tally.pass(lane.topic(), counts -> counts.dead--);
    index.attempts(number, 0);
    sentAgain.put(number, revived.atMillis());
    index.waited(number);
    place(number, lane, revived.readyAtMillis());
  }

  /** Takes a living message out of the structure it is in; it must be placed or ended next. */
  private MessageGroup lift(long number) {
    MessageGroup lane = lanes.of(index.lane(number));
    switch (index.state(number)) {
      case READY -> {
        ready.lift(lane, number);
        tally.pass(lane.topic(), counts -> counts.ready--);
      }
      case DELAYED -> {
        delays.remove(index.id(number));
        ready.release(lane, number);
        tally.pass(lane.topic(), counts -> counts.delayed--);
      }
      case IN_FLIGHT -> {
        timeouts.remove(index.id(number));
        ready.release(lane, number);
        tally.pass(lane.topic(), counts -> counts.inFlight--);
      }
      case DEAD, LIFTED -> throw new IllegalStateException("message " + number + " is not living");
    }
    index.state(number, State.LIFTED);
    return lane;
  }

  private void place(long number, MessageGroup lane, long readyAtMillis) {
    if (readyAtMillis == Fact.AT_ONCE) {
      index.state(number, State.READY);
      ready.offer(lane, number);
      tally.change(lane.topic(), counts -> counts.ready++);
    } else {
      index.state(number, State.DELAYED);
      index.waited(number);
      delays.add(index.id(number), readyAtMillis);
      ready.hold(lane, number);
      tally.change(lane.topic(), counts -> counts.delayed++);
    }
  }

  /** What a snapshot keeps. */
  public ShardImage image() {
    return new ShardImage(
        lastId,
        lanes.names(),
        index.freeze(),
        delays.byNumber(),
        Map.copyOf(errors),
        Map.copyOf(sentAgain),
        dead.all(),
        deduplication.freeze(),
        acknowledged.freeze(),
        queues.image());
  }

  // ---- looking

  @Nullable public IndexedMessage find(Ulid id) {
    return index.contains(id) ? item(id.number()) : null;
  }

  public IndexedMessage item(long number) {
    return new IndexedMessage(
        index.id(number),
        lanes.of(index.lane(number)),
        index.state(number),
        index.attempts(number),
        index.payloadBytes(number));
  }

  /** When a message came in or was sent again; its age for retention. */
  public long sinceMillis(long number) {
    Long again = sentAgain.get(number);
    return again == null ? index.id(number).millis() : again;
  }

  public String lastError(long number) {
    return errors.getOrDefault(number, "");
  }

  public MessageIndex index() {
    return index;
  }

  public int living() {
    return index.size() - dead.size();
  }

  /** Of all messages here, dead ones included. */
  public long payloadBytes() {
    return payloadBytes;
  }

  public OwnerBytes ownerBytes() {
    return ownerBytes;
  }

  /** What orders the messages takes so much; their bodies are elsewhere. */
  public long indexBytes() {
    int side = errors.size() + sentAgain.size() + 2 * delays.size() + 2 * timeouts.size();
    return index.bytes()
        + (long) index.size() * Long.BYTES
        + lanes.bytes()
        + queues.bytes()
        + (long) SIDE_BYTES * side
        + (long) DeadLetters.BYTES * dead.size();
  }

  /** The message of a topic whose turn it is. */
  public OptionalLong firstReady(String topic) {
    return ready.first(topic);
  }

  /**
   * @param taken what the call got already
   */
  public OptionalLong nextReady(String topic, List<Long> taken) {
    return taken.isEmpty()
        ? ready.first(topic)
        : ready.next(lanes.of(index.lane(taken.getLast())), taken);
  }

  /** Goes through the living messages of a topic, in the order they came in. */
  public void walk(String topic, MessageIndex.Visitor visitor) {
    if (tally.all().containsKey(topic)) {
      index.walk(
          number ->
              index.state(number) == State.DEAD
                  || !lanes.of(index.lane(number)).topic().equals(topic)
                  || visitor.visit(number));
    }
  }

  public OptionalLong oldestReady(String topic) {
    return ready.oldest(topic);
  }

  public int readyCount() {
    return living() - delays.size() - timeouts.size();
  }

  public Ulid lastId() {
    return lastId;
  }

  public Delays delays() {
    return delays;
  }

  public VisibilityTimeouts timeouts() {
    return timeouts;
  }

  public DeadLetters dead() {
    return dead;
  }

  public IdempotencyKeys deduplication() {
    return deduplication;
  }

  public RecentAcks acknowledged() {
    return acknowledged;
  }

  public QueueTable queues() {
    return queues;
  }

  public TopicTally tally() {
    return tally;
  }
}
