package dev.ron.mailbox.task;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Deadline;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.MailboxMetrics;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Envelope;
import dev.ron.mailbox.core.Layout;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.ShardLimits;
import dev.ron.mailbox.disk.MailboxJournal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
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
  private final MailboxJournal journal;
  private final Bounds bounds;
  private final MailboxMetrics metrics;
  private final TopicShards topics;
  private final List<ShardHome> homes;
  private final AtomicInteger turn = new AtomicInteger();
  private final Elsewhere elsewhere;

  private Shards(
      Scope scope,
      MailboxJournal journal,
      Bounds bounds,
      MailboxMetrics metrics,
      TopicShards topics,
      List<ShardHome> homes,
      Function<Shards, Elsewhere> elsewhere) {
    this.scope = scope;
    this.journal = journal;
    this.bounds = bounds;
    this.metrics = metrics;
    this.topics = topics;
    this.homes = homes;
    this.elsewhere = elsewhere.apply(this);
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
    var shards = new Shards(scope, journal, bounds, metrics, topics, homes, _ -> Elsewhere.NOWHERE);
    shards.sample(limits.capacity());
    return shards;
  }

  /** Shards that several machines keep in step; {@link Cluster} has made them. */
  static Shards across(
      Scope scope,
      Bounds bounds,
      MailboxMetrics metrics,
      TopicShards topics,
      List<ShardHome> homes,
      Function<Shards, Elsewhere> elsewhere,
      ShardLimits limits) {
    var shards =
        new Shards(scope, homes.getFirst().journal(), bounds, metrics, topics, homes, elsewhere);
    shards.sample(limits.capacity());
    return shards;
  }

  /** Like {@link #into}, a snapshot's task for each group. */
  Supervisor intoAcross(
      Supervisor tree, List<Replica> replicas, SnapshotRules rules, Command.Retain retain) {
    Supervisor wider =
        tree.children(
            "shard",
            homes,
            Restart.ALWAYS,
            home -> replicaLoop(home, replicas.get(home.number() % replicas.size())));
    for (Replica replica : replicas) {
      List<ShardHome> own = replica.shards().stream().map(homes::get).toList();
      String name = "captures-" + replica.group();
      var captures = SnapshotTask.captures(scope, name, own.size());
      wider =
          wider.child(
              "snapshot-" + replica.group(),
              Restart.ALWAYS,
              () -> new SnapshotTask(scope, own, replica.journal(), metrics, rules, captures));
    }
    return wider.child(
        "retention", Restart.ALWAYS, () -> new RetentionSweep(homes, retain, scope.time()));
  }

  private Task replicaLoop(ShardHome home, Replica replica) {
    try {
      return new ReplicaLoop(home, replica, bounds, topics, metrics, scope.random());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped during recovery", stop);
    }
  }

  /** How old what is seen here may be; empty on a machine that is alone. */
  public Optional<Duration> age() {
    return elsewhere.age();
  }

  /** The machine that decides a shard, if that is another and known. */
  public Optional<String> leader(int shard) {
    return elsewhere.leader(shard);
  }

  /** Adds the tasks that work on the shards. */
  public Supervisor into(
      Supervisor tree, boolean waitsForDisk, SnapshotRules rules, Command.Retain retain) {
    var captures = SnapshotTask.captures(scope, homes.size());
    return tree.children("shard", homes, Restart.ALWAYS, home -> loop(home, waitsForDisk))
        .child(
            "snapshot",
            Restart.ALWAYS,
            () -> new SnapshotTask(scope, homes, journal, metrics, rules, captures))
        .child("retention", Restart.ALWAYS, () -> new RetentionSweep(homes, retain, scope.time()));
  }

  private Task loop(ShardHome home, boolean waitsForDisk) {
    try {
      return new ShardLoop(home, journal, bounds, topics, metrics, scope.random(), waitsForDisk);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped during recovery", stop);
    }
  }

  /** The task that watches what a change of the shards' number left over. */
  public Task rebalancer(long replayMillis, Rebalancer.Keeping keeping) {
    return new Rebalancer(scope, homes, topics.layout(), replayMillis, keeping);
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
    var replies = new ArrayList<Reply<Outcome>>();
    var together = new LinkedHashMap<Integer, List<Ask.Do>>();
    for (Errand each : errands) {
      var ask = new Ask.Do(each.command(), new Reply<>(scope.time()));
      replies.add(ask.reply());
      together.computeIfAbsent(each.shard(), _ -> new ArrayList<>()).add(ask);
    }
    together.forEach(
        (shard, asks) -> {
          if (elsewhere.here(shard)) {
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

  /** As {@link #askHere}. */
  Handed receiveHere(int shard, Wish wish, Duration wait, String endpoint)
      throws InterruptedException {
    if (wait.isZero()) {
      var reply = new Reply<Handed>(scope.time());
      offer(shard, wish.ask(wish.messagesMax(), wish.bytesMax(), false, reply), endpoint);
      Handed handed = reply.await(Deadline.current());
      return handed == null ? new Handed.Refused(late(reply)) : handed;
    }
    return park(wish, wait, endpoint, List.of(homes.get(shard)));
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

  /** Looks at one shard. */
  public <T> Looked<T> look(int shard, Function<Shard, T> look, String endpoint)
      throws InterruptedException {
    var reply = new Reply<Looked<T>>(scope.time());
    offer(shard, new Ask.Look<>(look, reply), endpoint);
    Looked<T> seen = reply.await(Deadline.current());
    return seen == null ? new Looked.Refused<>(late(reply)) : seen;
  }

  /** What a receiver wants. */
  public record Wish(String topic, long visibilityMillis, int messagesMax, long bytesMax) {
    Ask.Receive ask(int messages, long bytes, boolean waits, Reply<Handed> reply) {
      return new Ask.Receive(topic, visibilityMillis, messages, bytes, waits, reply);
    }
  }

  /** How long a poll waits at a topic's home before it looks at the other shards again. */
  private static final Duration ROUND = Duration.ofMillis(500);

  /** On several machines a poll waits at the topic's home only; others are looked at in turns. */
  private Handed receiveAcross(Wish wish, Duration wait, String endpoint)
      throws InterruptedException {
    Deadline end = Deadline.in(wait, scope.time()).earlier(Deadline.current());
    int home = topics.home(wish.topic());
    while (true) {
      Handed handed = scan(wish, endpoint);
      Duration left = end.remaining(scope.time().now());
      if (left.isZero() || isSomething(handed)) {
        return handed;
      }
      Duration round = left.compareTo(ROUND) < 0 ? left : ROUND;
      if (elsewhere.here(home)) {
        handed = receiveHere(home, wish, round, endpoint);
      } else {
        var reply = new Reply<Handed>(scope.time());
        elsewhere.receive(home, wish.ask(wish.messagesMax(), wish.bytesMax(), true, reply), round);
        handed = reply.await(Deadline.current());
      }
      if (handed != null && isSomething(handed)) {
        return handed;
      }
    }
  }

  private static boolean isSomething(Handed handed) {
    return !(handed instanceof Handed.Messages(List<Envelope> none) && none.isEmpty());
  }

  /**
   * Hands out what is there, from home and from wherever else the topic has some; if that is
   * nothing, waits at every shard, and the first that has a message answers.
   *
   * <p>Where there are several shards each is the first in its turn: with one always before the
   * others, a backlog there would keep what lies in them for ever.
   */
  public Handed receive(Wish wish, Duration wait, String endpoint) throws InterruptedException {
    if (!elsewhere.alone()) {
      return receiveAcross(wish, wait, endpoint);
    }
    Handed handed = scan(wish, endpoint);
    return isSomething(handed) || wait.isZero() ? handed : park(wish, wait, endpoint, homes);
  }

  private Handed scan(Wish wish, String endpoint) throws InterruptedException {
    var envelopes = new ArrayList<Envelope>();
    long bytesLeft = wish.bytesMax();
    List<Integer> places = topics.of(wish.topic());
    if (places.size() > 1) {
      Collections.rotate(places, turn.getAndIncrement());
    }
    for (int shard : places) {
      int wanted = wish.messagesMax() - envelopes.size();
      if (wanted == 0 || (bytesLeft <= 0 && !envelopes.isEmpty())) {
        break;
      }
      Handed handed = receiveFrom(shard, wish, wanted, bytesLeft, endpoint);
      switch (handed) {
        case Handed.Messages(List<Envelope> more) -> {
          envelopes.addAll(more);
          bytesLeft -= more.stream().mapToLong(one -> one.body().length).sum();
        }
        case Handed.Refused _ -> {
          if (envelopes.isEmpty()) {
            return handed;
          }
        }
      }
    }
    return new Handed.Messages(envelopes);
  }

  private Handed park(Wish wish, Duration wait, String endpoint, List<ShardHome> at)
      throws InterruptedException {
    var reply = new Reply<Handed>(scope.time());
    Ask.Receive poll = wish.ask(wish.messagesMax(), wish.bytesMax(), true, reply);
    for (ShardHome home : at) {
      offer(home.number(), poll, endpoint);
    }
    Deadline deadline = Deadline.in(wait, scope.time()).earlier(Deadline.current());
    Handed handed = reply.await(deadline);
    if (handed == null && !reply.claim()) {
      // A shard has messages in its hands for us right now.
      handed = reply.await(Deadline.current());
    }
    return handed == null ? new Handed.Messages(List.of()) : handed;
  }

  private Handed receiveFrom(int shard, Wish wish, int messagesMax, long bytesMax, String endpoint)
      throws InterruptedException {
    var reply = new Reply<Handed>(scope.time());
    Ask.Receive ask = wish.ask(messagesMax, bytesMax, false, reply);
    if (elsewhere.here(shard)) {
      offer(shard, ask, endpoint);
    } else {
      elsewhere.receive(shard, ask, Duration.ZERO);
    }
    Handed handed = reply.await(Deadline.current());
    return handed == null ? new Handed.Refused(late(reply)) : handed;
  }

  private void offer(int shard, Posted ask, String endpoint) {
    switch (homes.get(shard).inbox().trySend(ask)) {
      case SendResult.Sent _ -> {}
      case SendResult.Full(String channel, int capacity) -> {
        scope.counters().busyRejections().labelValues(endpoint).inc();
        ask.turnAway(new MailboxFault.Saturated(channel, capacity, Duration.ofSeconds(1)));
      }
      case SendResult.Closed _ ->
          ask.turnAway(new MailboxFault.Unavailable("the mailbox is shutting down"));
    }
  }

  /** The claim tells whether the shard had begun. */
  private static MailboxFault late(Reply<?> reply) {
    return new MailboxFault.Unavailable(
        reply.claim()
            ? "the shard did not come to it in time; nothing was done"
            : "the answer did not come in time; whether it was done is not known");
  }

  private void sample(int capacity) {
    scope
        .metrics()
        .sampled(
            "inflight",
            "Messages in the hands of consumers.",
            sample ->
                homes.forEach(
                    home ->
                        home.figures()
                            .topics()
                            .forEach(
                                view ->
                                    sample.call(
                                        view.inFlight(),
                                        metrics.topics().of(view.topic()),
                                        Integer.toString(home.number())))),
            "topic",
            "shard");
    scope
        .metrics()
        .sampled(
            "saturation",
            "Share of a bound that is used, 0 to 1.",
            sample ->
                homes.forEach(
                    home ->
                        sample.call(
                            (double) home.figures().living() / capacity,
                            "ready",
                            Integer.toString(home.number()))),
            "queue",
            "shard");
    scope
        .metrics()
        .sampled(
            "rebalance_left",
            "Messages in shards that a change of shard_count left over.",
            sample -> sample.call((double) Rebalancer.left(homes, topics.layout())));
  }
}
