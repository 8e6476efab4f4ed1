package dev.ron.mailbox.shard;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.message.Envelope;
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
final class MessageReceiver {
  /** How long a poll waits at a topic's home before it looks at the other shards again. */
  private static final Duration ROUND = Duration.ofMillis(500);

  private final Scope scope;
  private final TopicShards topics;
  private final List<ShardSlot> homes;
  private final Leadership elsewhere;
  private final AtomicInteger turn = new AtomicInteger();

  MessageReceiver(Scope scope, TopicShards topics, List<ShardSlot> homes, Leadership elsewhere) {
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
  ReceiveResult receive(ReceiveRequest wish, Duration wait) throws InterruptedException {
    if (!elsewhere.alone()) {
      return across(wish, wait);
    }
    ReceiveResult handed = scan(wish);
    return isSomething(handed) || wait.isZero() ? handed : park(wish, wait, homes);
  }

  /** At one shard of this machine. */
  ReceiveResult here(int shard, ReceiveRequest wish, Duration wait) throws InterruptedException {
    if (wait.isZero()) {
      ShardRequest.Receive ask = ask(wish, false);
      homes.get(shard).offer(ask);
      return await(ask);
    }
    return park(wish, wait, List.of(homes.get(shard)));
  }

  private ShardRequest.Receive ask(ReceiveRequest wish, boolean waits) {
    return new ShardRequest.Receive(wish, waits, new Reply<>(scope.time()));
  }

  private static ReceiveResult await(ShardRequest.Receive ask) throws InterruptedException {
    ReceiveResult handed = ask.reply().await(Deadline.current());
    return handed == null ? new ReceiveResult.Refused(Shards.late(ask.reply())) : handed;
  }

  /** On several machines a poll waits at the topic's home only; others are looked at in turns. */
  private ReceiveResult across(ReceiveRequest wish, Duration wait) throws InterruptedException {
    Deadline end = Deadline.in(wait, scope.time()).earlier(Deadline.current());
    int home = topics.home(wish.topic());
    while (true) {
      ReceiveResult handed = scan(wish);
      Duration left = end.remaining(scope.time().now());
      if (left.isZero() || isSomething(handed) || scope.draining().given()) {
        return handed;
      }
      Duration round = left.compareTo(ROUND) < 0 ? left : ROUND;
      ShardRequest.Receive poll = ask(wish, true);
      handed =
          elsewhere.receive(home, poll, round)
              ? poll.reply().await(Deadline.current())
              : here(home, wish, round);
      if (handed != null && isSomething(handed)) {
        return handed;
      }
    }
  }

  private static boolean isSomething(ReceiveResult handed) {
    return !(handed instanceof ReceiveResult.Messages(List<Envelope> none) && none.isEmpty());
  }

  private ReceiveResult scan(ReceiveRequest wish) throws InterruptedException {
    var envelopes = new ArrayList<Envelope>();
    ReceiveResult refused = null;
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
      ReceiveResult handed = from(shard, wish.upTo(wanted, bytesLeft));
      switch (handed) {
        case ReceiveResult.Messages(List<Envelope> more) -> {
          envelopes.addAll(more);
          bytesLeft -= more.stream().mapToLong(one -> one.body().length).sum();
        }
        case ReceiveResult.Refused _ -> refused = refused == null ? handed : refused;
      }
    }
    return envelopes.isEmpty() && refused != null ? refused : new ReceiveResult.Messages(envelopes);
  }

  private ReceiveResult park(ReceiveRequest wish, Duration wait, List<ShardSlot> at)
      throws InterruptedException {
    ShardRequest.Receive poll = ask(wish, true);
    Reply<ReceiveResult> reply = poll.reply();
    try (var _ = scope.draining().subscribe(() -> nothingCame(reply))) {
      Deadline deadline = Deadline.in(wait, scope.time()).earlier(Deadline.current());
      List<ShardSlot> full = notTaking(poll, at);
      if (full.size() == at.size()) {
        // None listens, the topic's own shard not either: that is for the receiver to know.
        homes.get(home(wish, at)).offer(poll);
      }
      ReceiveResult handed = null;
      while (handed == null && !full.isEmpty() && !passed(deadline)) {
        handed = reply.await(Deadline.in(ROUND, scope.time()).earlier(deadline));
        full = handed == null ? notTaking(poll, full) : List.of();
      }
      handed = handed == null ? reply.await(deadline) : handed;
      if (handed == null && !reply.claim()) {
        // A shard has messages in its hands for us right now.
        handed = reply.await(Deadline.current());
      }
      return handed == null ? new ReceiveResult.Messages(List.of()) : handed;
    }
  }

  /** The mailbox drains: the same answer as when the time of the poll is up, unless one is near. */
  private static void nothingCame(Reply<ReceiveResult> reply) {
    if (reply.claim()) {
      reply.answer(new ReceiveResult.Messages(List.of()));
    }
  }

  /**
   * Those that are too busy for the poll now. It waits at the others meanwhile: a backlog of one
   * topic must not keep another's receivers from what is theirs.
   */
  private static List<ShardSlot> notTaking(ShardRequest.Receive poll, List<ShardSlot> homes) {
    return homes.stream()
        .filter(home -> !(home.inbox().trySend(poll) instanceof SendResult.Sent))
        .toList();
  }

  private int home(ReceiveRequest wish, List<ShardSlot> at) {
    return at.size() == 1 ? at.getFirst().number() : topics.home(wish.topic());
  }

  private boolean passed(Deadline deadline) {
    return deadline.passed(scope.time().now());
  }

  private ReceiveResult from(int shard, ReceiveRequest wish) throws InterruptedException {
    ShardRequest.Receive ask = ask(wish, false);
    if (!elsewhere.receive(shard, ask, Duration.ZERO)) {
      homes.get(shard).offer(ask);
    }
    return await(ask);
  }
}
