package dev.ron.mailbox.task;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.time.Deadline;
import dev.ron.mailbox.core.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How a receiver gets its messages: at once from wherever its topic has some, or by waiting.
 *
 * <p>Threading: thread-safe; every call may wait and belongs on a thread of its own.
 */
final class Receiving {
  /** How long a poll waits at a topic's home before it looks at the other shards again. */
  private static final Duration ROUND = Duration.ofMillis(500);

  private final Scope scope;
  private final TopicShards topics;
  private final List<ShardHome> homes;
  private final Elsewhere elsewhere;
  private final AtomicInteger turn = new AtomicInteger();

  Receiving(Scope scope, TopicShards topics, List<ShardHome> homes, Elsewhere elsewhere) {
    this.scope = scope;
    this.topics = topics;
    this.homes = homes;
    this.elsewhere = elsewhere;
  }

  /**
   * Hands out what is there, from home and from wherever else the topic has some; if that is
   * nothing, waits at every shard, and the first that has a message answers.
   *
   * <p>Where there are several shards each is the first in its turn: with one always before the
   * others, a backlog there would keep what lies in them for ever.
   */
  Handed receive(Wish wish, Duration wait) throws InterruptedException {
    if (!elsewhere.alone()) {
      return across(wish, wait);
    }
    Handed handed = scan(wish);
    return isSomething(handed) || wait.isZero() ? handed : park(wish, wait, homes);
  }

  /** At one shard of this machine. */
  Handed here(int shard, Wish wish, Duration wait) throws InterruptedException {
    if (wait.isZero()) {
      Ask.Receive ask = ask(wish, false);
      homes.get(shard).offer(ask);
      return await(ask);
    }
    return park(wish, wait, List.of(homes.get(shard)));
  }

  private Ask.Receive ask(Wish wish, boolean waits) {
    return new Ask.Receive(wish, waits, new Reply<>(scope.time()));
  }

  private static Handed await(Ask.Receive ask) throws InterruptedException {
    Handed handed = ask.reply().await(Deadline.current());
    return handed == null ? new Handed.Refused(ask.reply().late()) : handed;
  }

  /** On several machines a poll waits at the topic's home only; others are looked at in turns. */
  private Handed across(Wish wish, Duration wait) throws InterruptedException {
    Deadline end = Deadline.in(wait, scope.time()).earlier(Deadline.current());
    int home = topics.home(wish.topic());
    while (true) {
      Handed handed = scan(wish);
      Duration left = end.remaining(scope.time().now());
      if (left.isZero() || isSomething(handed) || scope.draining().given()) {
        return handed;
      }
      Duration round = left.compareTo(ROUND) < 0 ? left : ROUND;
      Ask.Receive poll = ask(wish, true);
      handed =
          elsewhere.receive(home, poll, round)
              ? poll.reply().await(Deadline.current())
              : here(home, wish, round);
      if (handed != null && isSomething(handed)) {
        return handed;
      }
    }
  }

  private static boolean isSomething(Handed handed) {
    return !(handed instanceof Handed.Messages(List<Envelope> none) && none.isEmpty());
  }

  private Handed scan(Wish wish) throws InterruptedException {
    var envelopes = new ArrayList<Envelope>();
    Handed refused = null;
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
      Handed handed = from(shard, wish.upTo(wanted, bytesLeft));
      switch (handed) {
        case Handed.Messages(List<Envelope> more) -> {
          envelopes.addAll(more);
          bytesLeft -= more.stream().mapToLong(one -> one.body().length).sum();
        }
        case Handed.Refused _ -> refused = refused == null ? handed : refused;
      }
    }
    return envelopes.isEmpty() && refused != null ? refused : new Handed.Messages(envelopes);
  }

  private Handed park(Wish wish, Duration wait, List<ShardHome> at) throws InterruptedException {
    Ask.Receive poll = ask(wish, true);
    Reply<Handed> reply = poll.reply();
    try (var _ = scope.draining().subscribe(() -> nothingCame(reply))) {
      Deadline deadline = Deadline.in(wait, scope.time()).earlier(Deadline.current());
      List<ShardHome> full = notTaking(poll, at);
      if (full.size() == at.size()) {
        // None listens, the topic's own shard not either: that is for the receiver to know.
        homes.get(home(wish, at)).offer(poll);
      }
      Handed handed = null;
      while (handed == null && !full.isEmpty() && !passed(deadline)) {
        handed = reply.await(Deadline.in(ROUND, scope.time()).earlier(deadline));
        full = handed == null ? notTaking(poll, full) : List.of();
      }
      handed = handed == null ? reply.await(deadline) : handed;
      if (handed == null && !reply.claim()) {
        // A shard has messages in its hands for us right now.
        handed = reply.await(Deadline.current());
      }
      return handed == null ? new Handed.Messages(List.of()) : handed;
    }
  }

  /** The mailbox drains: the same answer as when the time of the poll is up, unless one is near. */
  private static void nothingCame(Reply<Handed> reply) {
    if (reply.claim()) {
      reply.answer(new Handed.Messages(List.of()));
    }
  }

  /**
   * Those that are too busy for the poll now. It waits at the others meanwhile: a backlog of one
   * topic must not keep another's receivers from what is theirs.
   */
  private static List<ShardHome> notTaking(Ask.Receive poll, List<ShardHome> homes) {
    return homes.stream()
        .filter(home -> !(home.inbox().trySend(poll) instanceof SendResult.Sent))
        .toList();
  }

  private int home(Wish wish, List<ShardHome> at) {
    return at.size() == 1 ? at.getFirst().number() : topics.home(wish.topic());
  }

  private boolean passed(Deadline deadline) {
    return deadline.passed(scope.time().now());
  }

  private Handed from(int shard, Wish wish) throws InterruptedException {
    Ask.Receive ask = ask(wish, false);
    if (!elsewhere.receive(shard, ask, Duration.ZERO)) {
      homes.get(shard).offer(ask);
    }
    return await(ask);
  }
}
