package dev.ron.mailbox.shard;

import dev.ron.http.server.exchange.OwnWait;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.supervise.Signal;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.trace.WaitSpans;
import dev.ron.mailbox.MailboxEvent;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.ShardLayout;
import dev.ron.mailbox.core.state.ShardLimits;
import dev.ron.mailbox.journal.MailboxJournal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All shards, as those who serve requests see them: ask, and wait under the request's deadline.
 *
 * <p>Threading: thread-safe; every call may wait and belongs on a thread of its own.
 */
public final class Shards {
  /** Decided, written and flushed: by this machine's disk, or by as many as a cluster needs. */
  static final WaitSpans.Names SPANS = new WaitSpans.Names("shard queue", "shard commit");

  private final Scope scope;
  private final TopicShards topics;
  private final List<ShardSlot> slots;
  private final Leadership leadership;
  private final MessageReceiver receiving;

  public Shards(Scope scope, TopicShards topics, List<ShardSlot> slots, Leadership leadership) {
    this.scope = scope;
    this.topics = topics;
    this.slots = slots;
    this.leadership = leadership;
    this.receiving = new MessageReceiver(scope, topics, slots, leadership);
  }

  /** Replays the journal into the shards of a layout, former ones included. */
  public static Shards recover(
      Scope scope,
      ShardLayout layout,
      ShardLimits limits,
      MailboxLimits bounds,
      MailboxJournal journal,
      Broadcast<MailboxEvent> events)
      throws IOException {
    var topics = new TopicShards(layout);
    List<ShardSlot> slots =
        IntStream.range(0, layout.shards())
            .mapToObj(i -> new ShardSlot(scope, i, limits, bounds, journal, topics, events))
            .toList();
    Map<Integer, Shard> recovered =
        journal.recoverAll(
            (number, image) ->
                number < slots.size()
                    ? slots.get(number).make(image)
                    : ShardSlot.gone(number, limits, image));
    for (Map.Entry<Integer, Shard> each : recovered.entrySet()) {
      if (each.getKey() < slots.size()) {
        slots.get(each.getKey()).recovered(each.getValue());
      } else if (isUsed(each.getValue())) {
        throw new IOException(
            "the journal has messages or queues of shard %d, and the folder knows of %d shards; set shard_count to what it was"
                .formatted(each.getKey(), slots.size()));
      }
    }
    return new Shards(scope, topics, slots, Leadership.LOCAL);
  }

  private static boolean isUsed(Shard shard) {
    return shard.living() + shard.dead() > 0 || !shard.queues().isEmpty();
  }

  /** How old what is seen here may be; empty on a machine that is alone. */
  public Optional<Duration> age() {
    return leadership.age();
  }

  /** Where a client is to ask for what concerns a shard, if that is not here. */
  public Optional<String> door(int shard) {
    return leadership.door(shard);
  }

  public TopicShards topics() {
    return topics;
  }

  public List<ShardSlot> slots() {
    return slots;
  }

  public int count() {
    return slots.size();
  }

  /** Asks without waiting; the answer comes, or a refusal is there at once. */
  public Reply<Outcome> submit(int shard, Command command) {
    var ask = new ShardRequest.Do(command, new Reply<>(scope.time(), WaitSpans.of(SPANS)));
    if (!leadership.ask(shard, ask)) {
      slots.get(shard).offer(ask);
    }
    return ask.reply();
  }

  /** What one shard is to do. */
  public record ShardCommand(int shard, Command command) {}

  /** Asks for many without waiting, in their order; those of one shard go there together. */
  public List<Reply<Outcome>> submitAll(List<ShardCommand> commands) {
    var replies = new ArrayList<Reply<Outcome>>();
    var together = new LinkedHashMap<Integer, List<ShardRequest.Do>>();
    for (ShardCommand each : commands) {
      // They share a wait and a flush, which the first tells of.
      Reply.Steps steps = replies.isEmpty() ? WaitSpans.of(SPANS) : Reply.Steps.NONE;
      var ask = new ShardRequest.Do(each.command(), new Reply<>(scope.time(), steps));
      replies.add(ask.reply());
      if (!leadership.ask(each.shard(), ask)) {
        together.computeIfAbsent(each.shard(), _ -> new ArrayList<>()).add(ask);
      }
    }
    together.forEach((shard, asks) -> slots.get(shard).offer(new InboxItem.Batch(asks)));
    return replies;
  }

  /** Given when the mailbox begins to drain: a wait for messages ends then. */
  public Signal draining() {
    return scope.draining();
  }

  /** Hands out messages; waits for the first if there is none. */
  public ReceiveResult receive(ReceiveRequest request, Duration wait) throws InterruptedException {
    return MessageCharges.of(receiving.receive(request, wait));
  }

  /** As {@link #receive}, from one shard of this machine. */
  public ReceiveResult receiveFrom(int shard, ReceiveRequest request, Duration wait)
      throws InterruptedException {
    return receiving.here(shard, request, wait);
  }

  /** Waits for an answer; a refusal that it is unknown if none comes in time. */
  public Outcome await(Reply<Outcome> reply) throws InterruptedException {
    Outcome outcome = reply.await(Deadline.current());
    return outcome == null ? new Outcome.Refused(late(reply)) : outcome;
  }

  /** Why there is no answer in time; the claim tells whether the shard had begun. */
  static MailboxFault late(Reply<?> reply) {
    return new MailboxFault.Unavailable(
        reply.claim()
            ? "the shard did not come to it in time; nothing was done"
            : "the answer did not come in time; whether it was done is not known");
  }

  public Outcome ask(int shard, Command command) throws InterruptedException {
    try (OwnWait _ = OwnWait.beginIf(leadership.alone())) {
      return MessageCharges.of(command, await(submit(shard, command)));
    }
  }

  /** Asks for many and waits for all, in their order. */
  public List<Outcome> askAll(List<ShardCommand> commands) throws InterruptedException {
    List<Reply<Outcome>> replies = submitAll(commands);
    var outcomes = new ArrayList<Outcome>();
    try (OwnWait _ = OwnWait.beginIf(leadership.alone())) {
      for (int i = 0; i < replies.size(); i++) {
        outcomes.add(MessageCharges.of(commands.get(i).command(), await(replies.get(i))));
      }
    }
    return outcomes;
  }

  /**
   * What a shard that a topic belonged to formerly says to a key that it knows; null if none does.
   * One that cannot be asked refuses: it might know.
   */
  public @Nullable Outcome known(List<Integer> formerly, Command.Send send)
      throws InterruptedException {
    long nowMillis = scope.time().now().toEpochMilli();
    for (int shard : formerly) {
      switch (look(shard, each -> each.known(send, nowMillis))) {
        case QueryResult.Seen<Optional<Outcome>>(Optional<Outcome> outcome) -> {
          if (outcome.isPresent()) {
            return outcome.get();
          }
        }
        case QueryResult.Refused<Optional<Outcome>>(MailboxFault fault) -> {
          return new Outcome.Refused(fault);
        }
      }
    }
    return null;
  }

  /**
   * Looks at one shard.
   *
   * <p>A machine that leads answers when the others have what it shows. If it stops leading before
   * that, it shows what it knows as one that follows.
   */
  public <T> QueryResult<T> look(int shard, Function<Shard, T> look) throws InterruptedException {
    QueryResult<T> seen = lookOnce(shard, look);
    boolean ledUntilNow =
        seen instanceof QueryResult.Refused<T>(MailboxFault.Unavailable _)
            && !slots.get(shard).journal().replication().alone();
    return ledUntilNow ? lookOnce(shard, look) : seen;
  }

  private <T> QueryResult<T> lookOnce(int shard, Function<Shard, T> look)
      throws InterruptedException {
    var reply = new Reply<QueryResult<T>>(scope.time());
    slots.get(shard).offer(new ShardRequest.Look<>(look, reply));
    QueryResult<T> seen = reply.await(Deadline.current());
    return seen == null ? new QueryResult.Refused<>(late(reply)) : seen;
  }
}
