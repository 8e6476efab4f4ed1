package dev.ron.mailbox.task;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.supervise.Signal;
import dev.ron.kernel.time.Deadline;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.MailboxMetrics;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Layout;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.ShardLimits;
import dev.ron.mailbox.disk.MailboxJournal;
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
  private final Scope scope;
  private final ShardTasks tasks;
  private final TopicShards topics;
  private final List<ShardHome> homes;
  private final Elsewhere elsewhere;
  private final Receiving receiving;

  private Shards(ShardTasks tasks, Function<Shards, Elsewhere> elsewhere, ShardLimits limits) {
    this.scope = tasks.scope();
    this.tasks = tasks;
    this.topics = tasks.topics();
    this.homes = tasks.homes();
    this.elsewhere = elsewhere.apply(this);
    this.receiving = new Receiving(scope, this, this.elsewhere);
    ShardGauges.in(scope, homes, topics, tasks.metrics(), limits.capacity());
  }

  /** Replays the journal into new shards. */
  public static Shards recover(
      Scope scope,
      int count,
      ShardLimits limits,
      Bounds bounds,
      MailboxJournal journal,
      MailboxMetrics metrics)
      throws IOException {
    return recover(scope, Layout.of(count), limits, bounds, journal, metrics);
  }

  /** Replays the journal into the shards of a layout, former ones included. */
  public static Shards recover(
      Scope scope,
      Layout layout,
      ShardLimits limits,
      Bounds bounds,
      MailboxJournal journal,
      MailboxMetrics metrics)
      throws IOException {
    var topics = new TopicShards(layout);
    List<ShardHome> homes =
        IntStream.range(0, layout.shards())
            .mapToObj(i -> new ShardHome(scope, i, limits, bounds, journal, topics))
            .toList();
    Map<Integer, Shard> recovered =
        journal.recoverAll(
            (number, image) ->
                number < homes.size()
                    ? homes.get(number).make(image)
                    : ShardHome.gone(number, limits, image));
    for (Map.Entry<Integer, Shard> each : recovered.entrySet()) {
      if (each.getKey() < homes.size()) {
        homes.get(each.getKey()).recovered(each.getValue());
      } else if (each.getValue().living() + each.getValue().dead() > 0) {
        throw new IOException(
            "the journal has messages of shard %d, and the folder knows of %d shards; set shard_count to what it was"
                .formatted(each.getKey(), homes.size()));
      }
    }
    var tasks = new ShardTasks(scope, journal, bounds, metrics, topics, homes);
    return new Shards(tasks, _ -> Elsewhere.NOWHERE, limits);
  }

  /** Shards that several machines keep in step; {@link Cluster} has made them. */
  static Shards across(
      ShardTasks tasks, Function<Shards, Elsewhere> elsewhere, ShardLimits limits) {
    return new Shards(tasks, elsewhere, limits);
  }

  /** How old what is seen here may be; empty on a machine that is alone. */
  public Optional<Duration> age() {
    return elsewhere.age();
  }

  /** The machine that decides a shard, if that is another and known. */
  public Optional<String> leader(int shard) {
    return elsewhere.leader(shard);
  }

  /** What works on them. */
  public ShardTasks tasks() {
    return tasks;
  }

  public TopicShards topics() {
    return topics;
  }

  List<ShardHome> homes() {
    return homes;
  }

  public int count() {
    return homes.size();
  }

  /** Asks without waiting; the answer comes, or a refusal is there at once. */
  public Reply<Outcome> submit(int shard, Command command, String endpoint) {
    var reply = new Reply<Outcome>(scope.time());
    var ask = new Ask.Do(command, reply);
    if (elsewhere.here(shard)) {
      offer(shard, ask, endpoint);
    } else {
      elsewhere.ask(shard, ask);
    }
    return reply;
  }

  /** What one shard is to do. */
  public record Errand(int shard, Command command) {}

  /** Asks for many without waiting, in their order; those of one shard go there together. */
  public List<Reply<Outcome>> submitAll(List<Errand> errands, String endpoint) {
    return submitAll(errands, endpoint, false);
  }

  private List<Reply<Outcome>> submitAll(List<Errand> errands, String endpoint, boolean here) {
    var replies = new ArrayList<Reply<Outcome>>();
    var together = new LinkedHashMap<Integer, List<Ask.Do>>();
    for (Errand each : errands) {
      var ask = new Ask.Do(each.command(), new Reply<>(scope.time()));
      replies.add(ask.reply());
      together.computeIfAbsent(each.shard(), _ -> new ArrayList<>()).add(ask);
    }
    together.forEach(
        (shard, asks) -> {
          if (here || elsewhere.here(shard)) {
            offer(shard, new Posted.Batch(asks), endpoint);
          } else {
            asks.forEach(each -> elsewhere.ask(shard, each));
          }
        });
    return replies;
  }

  /** For another machine that takes this one for the leader; not passed on again. */
  Outcome askHere(int shard, Command command, String endpoint) throws InterruptedException {
    var reply = new Reply<Outcome>(scope.time());
    offer(shard, new Ask.Do(command, reply), endpoint);
    return await(reply);
  }

  /** As {@link #askHere}, for many. */
  List<Outcome> askAllHere(List<Errand> errands, String endpoint) throws InterruptedException {
    var outcomes = new ArrayList<Outcome>();
    for (Reply<Outcome> reply : submitAll(errands, endpoint, true)) {
      outcomes.add(await(reply));
    }
    return outcomes;
  }

  /** As {@link #askHere}. */
  Handed receiveHere(int shard, Wish wish, Duration wait, String endpoint)
      throws InterruptedException {
    return receiving.here(shard, wish, wait, endpoint);
  }

  /** Given when the mailbox begins to drain: a wait for messages ends then. */
  public Signal draining() {
    return scope.draining();
  }

  /** Hands out messages; waits for the first if there is none. */
  public Handed receive(Wish wish, Duration wait, String endpoint) throws InterruptedException {
    return receiving.receive(wish, wait, endpoint);
  }

  /** Waits for an answer; a refusal that it is unknown if none comes in time. */
  public Outcome await(Reply<Outcome> reply) throws InterruptedException {
    Outcome outcome = reply.await(Deadline.current());
    return outcome == null ? new Outcome.Refused(late(reply)) : outcome;
  }

  public Outcome ask(int shard, Command command, String endpoint) throws InterruptedException {
    return await(submit(shard, command, endpoint));
  }

  /**
   * What a shard that a topic belonged to formerly says to a key that it knows; null if none does.
   * One that cannot be asked refuses: it might know.
   */
  public @Nullable Outcome known(List<Integer> formerly, Command.Send send, String endpoint)
      throws InterruptedException {
    long nowMillis = scope.time().now().toEpochMilli();
    for (int shard : formerly) {
      switch (look(shard, each -> each.known(send, nowMillis), endpoint)) {
        case Looked.Seen<Optional<Outcome>>(Optional<Outcome> outcome) -> {
          if (outcome.isPresent()) {
            return outcome.get();
          }
        }
        case Looked.Refused<Optional<Outcome>>(MailboxFault fault) -> {
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
  public <T> Looked<T> look(int shard, Function<Shard, T> look, String endpoint)
      throws InterruptedException {
    Looked<T> seen = lookOnce(shard, look, endpoint);
    boolean ledUntilNow =
        seen instanceof Looked.Refused<T>(MailboxFault.Unavailable _) && !elsewhere.alone();
    return ledUntilNow ? lookOnce(shard, look, endpoint) : seen;
  }

  private <T> Looked<T> lookOnce(int shard, Function<Shard, T> look, String endpoint)
      throws InterruptedException {
    var reply = new Reply<Looked<T>>(scope.time());
    offer(shard, new Ask.Look<>(look, reply), endpoint);
    Looked<T> seen = reply.await(Deadline.current());
    return seen == null ? new Looked.Refused<>(late(reply)) : seen;
  }

  /** Hands over what a shard has room for; otherwise nothing happens. */
  boolean tryOffer(int shard, Posted ask) {
    return homes.get(shard).inbox().trySend(ask) instanceof SendResult.Sent;
  }

  void offer(int shard, Posted ask, String endpoint) {
    switch (homes.get(shard).inbox().trySend(ask)) {
      case SendResult.Sent _ -> {}
      case SendResult.Full(String channel, int capacity) ->
          ask.turnAway(new MailboxFault.Saturated(channel, capacity, Duration.ofSeconds(1)));
      case SendResult.Closed _ ->
          ask.turnAway(new MailboxFault.Unavailable("the mailbox is shutting down"));
    }
  }

  /** The claim tells whether the shard had begun. */
  static MailboxFault late(Reply<?> reply) {
    return new MailboxFault.Unavailable(
        reply.claim()
            ? "the shard did not come to it in time; nothing was done"
            : "the answer did not come in time; whether it was done is not known");
  }
}
