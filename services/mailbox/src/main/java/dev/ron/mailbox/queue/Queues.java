package dev.ron.mailbox.queue;

import dev.ron.blake3.Blake3;
import dev.ron.kernel.Scope;
import dev.ron.kernel.time.Time;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.PeekedMessage;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.QueueCommand;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.queue.QueueCounts;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueRefusal;
import dev.ron.mailbox.shard.QueueDirectory;
import dev.ron.mailbox.shard.ReceiveRequest;
import dev.ron.mailbox.shard.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All queues, as a door sees them.
 *
 * <p>A queue is named by its topic, {@code sqs/<account>/<queue>}. What must hold for every client
 * is decided in the queue's home shard by the machine that leads it: that a queue exists, that its
 * name is free, that it was purged lately, that a message is a repetition. Rights are the door's
 * matter.
 *
 * <p>Threading: thread-safe; every call may wait under the request's deadline and belongs on a
 * thread of its own.
 */
public final class Queues {
  /** The answer of one receive; the first message comes whatever its size. */
  private static final long RECEIVE_BYTES_MAX = 12L << 20;

  /** Bodies that one look shows; the shard reads them between its commands. */
  private static final long PEEK_BYTES_MAX = 8L << 20;

  /** Requests that change one queue at the same moment are few. */
  private static final int CHANGES_MAX = 16;

  private final Shards shards;
  private final QueueDirectory known;
  private final Time time;
  private final QueueMoves moves;

  public Queues(Shards shards, Scope scope) {
    this.shards = shards;
    this.known = shards.topics().queues();
    this.time = scope.time();
    this.moves = new QueueMoves(this, shards, scope);
  }

  /** Moves of messages from one queue to others. */
  public QueueMoves moves() {
    return moves;
  }

  // ---- queues

  /**
   * Makes a queue, or answers the one that is there if it is equal in all attributes named.
   *
   * <p>Refused: {@link QueueRefusal#NAME_TAKEN} with the attribute as its detail, {@link
   * QueueRefusal#DELETED_RECENTLY}.
   *
   * @param wanted see {@link QueueRecord#wanted}
   * @param named the public names of the attributes that the request sets
   */
  public QueryResult<QueueRecord> create(QueueRecord wanted, List<String> named)
      throws InterruptedException {
    return record(new QueueCommand.Make(wanted, named));
  }

  /** The record, as the leader of its shard has it; {@link MailboxFault.NoSuchQueue} if none. */
  public QueryResult<QueueRecord> find(String topic) throws InterruptedException {
    return record(new QueueCommand.Find(topic));
  }

  /**
   * Queues in the order of their topics, as far as this machine knows them.
   *
   * @param prefix of the topic, {@code sqs/<account>/} and more
   * @param after only those behind this topic; empty for all
   */
  public List<QueueRecord> list(String prefix, String after, int max) {
    return known.list(prefix, after, max);
  }

  /** The queues whose dead letters go to this one, as far as this machine knows them. */
  public List<QueueRecord> sources(String target) {
    return known.sources(target);
  }

  /**
   * Replaces settings, opaque attributes or tags.
   *
   * @param by may be asked again if another request changed the queue meanwhile; what it does to
   *     the other components has no effect
   */
  public QueryResult<QueueRecord> change(String topic, UnaryOperator<QueueRecord> by)
      throws InterruptedException {
    QueryResult<QueueRecord> result = find(topic);
    for (int i = 0; i < CHANGES_MAX; i++) {
      if (!(result instanceof QueryResult.Seen<QueueRecord>(QueueRecord now))) {
        return result;
      }
      result = record(new QueueCommand.Change(by.apply(now)));
      if (!(result
          instanceof
          QueryResult.Refused<QueueRecord>(MailboxFault.QueueRefused(QueueRefusal why, _)))) {
        return result;
      }
      if (why != QueueRefusal.CHANGED_SINCE) {
        return result;
      }
      result = find(topic);
    }
    return result;
  }

  /** Deletes a queue with all its messages; its name is blocked for a minute. */
  public QueryResult<QueueRecord> delete(String topic) throws InterruptedException {
    List<Integer> places = shards.topics().of(topic);
    QueryResult<QueueRecord> result = record(new QueueCommand.Delete(topic));
    return result instanceof QueryResult.Seen ? cleared(topic, places, result) : result;
  }

  /** Lets all messages go; {@link QueueRefusal#PURGED_RECENTLY} within a minute of the last. */
  public QueryResult<QueueRecord> purge(String topic) throws InterruptedException {
    List<Integer> places = shards.topics().of(topic);
    QueryResult<QueueRecord> result = record(new QueueCommand.Purge(topic));
    return result instanceof QueryResult.Seen ? cleared(topic, places, result) : result;
  }

  /** Messages that were moved here lie in the shards they came from. */
  private QueryResult<QueueRecord> cleared(
      String topic, List<Integer> places, QueryResult<QueueRecord> result)
      throws InterruptedException {
    for (int shard : places.subList(1, places.size())) {
      if (shards.ask(shard, new QueueCommand.Clear(topic))
          instanceof Outcome.Refused(MailboxFault fault)) {
        return new QueryResult.Refused<>(fault);
      }
    }
    return result;
  }

  public QueryResult<QueueCounts> counts(String topic) throws InterruptedException {
    QueueCounts sum = QueueCounts.NONE;
    for (int shard : shards.topics().of(topic)) {
      switch (shards.look(shard, each -> each.queueCounts(topic))) {
        case QueryResult.Seen<QueueCounts>(QueueCounts some) -> sum = sum.plus(some);
        case QueryResult.Refused<QueueCounts> refused -> {
          return refused;
        }
      }
    }
    return new QueryResult.Seen<>(sum);
  }

  private QueryResult<QueueRecord> record(QueueCommand command) throws InterruptedException {
    return switch (ask(command)) {
      case Outcome.Queue(QueueRecord record) -> new QueryResult.Seen<>(record);
      case Outcome.Refused(MailboxFault fault) -> new QueryResult.Refused<>(fault);
      case Outcome other -> throw new IllegalStateException("no answer about a queue: " + other);
    };
  }

  Outcome ask(QueueCommand command) throws InterruptedException {
    return shards.ask(home(command.topic()), command);
  }

  int home(String topic) {
    return shards.topics().mainShard(topic);
  }

  // ---- messages

  /**
   * Sends messages; each is answered in its place.
   *
   * @return {@link Outcome.Accepted} or {@link Outcome.Refused} for each; a duplicate has the first
   *     message's id, and the number in an id is its sequence number
   */
  public List<Outcome> send(String topic, List<QueueSend> sends) throws InterruptedException {
    int shard = home(topic);
    long tsMillis = time.wall().toEpochMilli();
    var commands = new ArrayList<Shards.ShardCommand>();
    for (QueueSend each : sends) {
      Integer delay = each.delaySeconds();
      var put =
          new QueueCommand.Put(
              topic,
              each.body(),
              Blake3.hash(each.body()),
              each.attrs(),
              delay == null ? -1 : delay,
              each.group(),
              each.dedupId(),
              each.retryKey(),
              each.bytes(),
              each.corrId(),
              tsMillis);
      commands.add(new Shards.ShardCommand(shard, put));
    }
    return shards.askAll(commands);
  }

  /** Hands out messages; waits for the first if there is none. */
  public QueryResult<List<Envelope>> receive(QueueReceive receive) throws InterruptedException {
    QueueRecord queue = known.find(receive.topic()).orElse(null);
    if (queue == null) {
      switch (find(receive.topic())) {
        case QueryResult.Seen<QueueRecord>(QueueRecord found) -> queue = found;
        case QueryResult.Refused<QueueRecord>(MailboxFault fault) -> {
          return new QueryResult.Refused<>(fault);
        }
      }
    }
    long visibility = or(receive.visibilitySeconds(), queue.settings().visibilitySeconds());
    long wait = or(receive.waitSeconds(), queue.settings().receiveWaitSeconds());
    var request =
        new ReceiveRequest(
            receive.topic(),
            1000 * visibility,
            receive.messagesMax(),
            RECEIVE_BYTES_MAX,
            receive.attemptId());
    return switch (shards.receive(request, Duration.ofSeconds(wait))) {
      case ReceiveResult.Messages(List<Envelope> envelopes) -> new QueryResult.Seen<>(envelopes);
      case ReceiveResult.Refused(MailboxFault fault) -> new QueryResult.Refused<>(fault);
    };
  }

  private static int or(@Nullable Integer given, int otherwise) {
    return given == null ? otherwise : given;
  }

  /**
   * Deletes messages or sets when their leases end; each is answered in its place.
   *
   * @return {@link Outcome.Done}, or {@link Outcome.Refused}: {@link MailboxFault.UnknownMessage}
   *     for one that is not in this queue, {@link MailboxFault.ReceiptExpired} for a receipt that
   *     is not that of the lease, {@link QueueRefusal#VISIBILITY_TOO_LONG}. A change of visibility
   *     without a receipt that comes too late is done, without effect.
   */
  public List<Outcome> settle(String topic, List<QueueSettle> entries) throws InterruptedException {
    Optional<MailboxFault> none = missing(topic);
    if (none.isPresent()) {
      return entries.stream().<Outcome>map(_ -> new Outcome.Refused(none.get())).toList();
    }
    var outcomes = new ArrayList<@Nullable Outcome>();
    var commands = new ArrayList<Shards.ShardCommand>();
    for (QueueSettle each : entries) {
      Integer seconds = each.visibilitySeconds();
      long millis = seconds == null ? QueueCommand.Settle.DELETE : 1000L * seconds;
      boolean ours = each.id().shard() < shards.count();
      outcomes.add(
          ours ? null : new Outcome.Refused(new MailboxFault.UnknownMessage(each.id().toString())));
      if (ours) {
        var settle = new QueueCommand.Settle(topic, each.id(), each.receipt(), millis);
        commands.add(new Shards.ShardCommand(each.id().shard(), settle));
      }
    }
    var answered = shards.askAll(commands).iterator();
    return outcomes.stream().map(told -> told == null ? answered.next() : told).toList();
  }

  Optional<MailboxFault> missing(String topic) throws InterruptedException {
    if (known.find(topic).isPresent()) {
      return Optional.empty();
    }
    return find(topic) instanceof QueryResult.Refused<QueueRecord>(MailboxFault fault)
        ? Optional.of(fault)
        : Optional.empty();
  }

  /** Messages in the order of their sends, without receiving them; fewer where they are large. */
  public QueryResult<List<PeekedMessage>> peek(String topic, int max) throws InterruptedException {
    Optional<MailboxFault> none = missing(topic);
    if (none.isPresent()) {
      return new QueryResult.Refused<>(none.get());
    }
    var all = new ArrayList<PeekedMessage>();
    for (int shard : shards.topics().of(topic)) {
      int wanted = max - all.size();
      long bytes =
          PEEK_BYTES_MAX - all.stream().mapToLong(each -> each.envelope().body().length).sum();
      if (wanted <= 0 || bytes <= 0) {
        break;
      }
      switch (shards.look(shard, each -> each.peek(topic, wanted, bytes))) {
        case QueryResult.Seen<List<PeekedMessage>>(List<PeekedMessage> some) -> all.addAll(some);
        case QueryResult.Refused<List<PeekedMessage>> refused -> {
          return refused;
        }
      }
    }
    return new QueryResult.Seen<>(all);
  }
}
