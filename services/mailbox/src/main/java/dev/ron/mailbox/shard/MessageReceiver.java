package dev.ron.mailbox.shard;

import dev.ron.http.server.exchange.OwnWait;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.trace.WaitSpans;
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
  /** How long a poll waits at a topic's main shard before it looks at the other shards again. */
  private static final Duration ROUND = Duration.ofMillis(500);

  private final Scope scope;
  private final TopicShards topics;
  private final List<ShardSlot> slots;
  private final Leadership leadership;
  private final AtomicInteger turn = new AtomicInteger();

  MessageReceiver(Scope scope, TopicShards topics, List<ShardSlot> slots, Leadership leadership) {
    this.scope = scope;
    this.topics = topics;
    this.slots = slots;
    this.leadership = leadership;
  }

  /**
   * Hands out what is there, from the topic's main shard and from wherever else it has some; if
   * that is nothing, waits at every shard, and the first that has a message answers.
   *
   * <p>Where there are several shards each is the first in its turn: with one always before the
   * others, a backlog there would keep what lies in them for ever.
   */
  ReceiveResult receive(ReceiveRequest request, Duration wait) throws InterruptedException {
    if (!leadership.alone()) {
      return across(request, wait);
    }
    ReceiveResult result = scan(request);
    return isSomething(result) || wait.isZero() ? result : park(request, wait, slots);
  }

  /** At one shard of this machine. */
  ReceiveResult here(int shard, ReceiveRequest request, Duration wait) throws InterruptedException {
    if (wait.isZero()) {
      ShardRequest.Receive ask = ask(request, false);
      slots.get(shard).offer(ask);
      return await(ask);
    }
    return park(request, wait, List.of(slots.get(shard)));
  }

  private ShardRequest.Receive ask(ReceiveRequest request, boolean waits) {
    return new ShardRequest.Receive(
        request, waits, new Reply<>(scope.time(), WaitSpans.of(Shards.SPANS)));
  }

  private static ReceiveResult await(ShardRequest.Receive ask) throws InterruptedException {
    ReceiveResult result = ask.reply().await(Deadline.current());
    return result == null ? new ReceiveResult.Refused(Shards.late(ask.reply())) : result;
  }

  /**
   * On several machines a poll waits at the topic's main shard only; others are looked at in turns.
   */
  private ReceiveResult across(ReceiveRequest request, Duration wait) throws InterruptedException {
    Deadline end = Deadline.in(wait, scope.time()).earlier(Deadline.current());
    int main = topics.mainShard(request.topic());
    while (true) {
      ReceiveResult result = scan(request);
      Duration left = end.remaining(scope.time().now());
      if (left.isZero() || isSomething(result) || scope.draining().given()) {
        return result;
      }
      Duration round = left.compareTo(ROUND) < 0 ? left : ROUND;
      ShardRequest.Receive poll = ask(request, true);
      result =
          leadership.receive(main, poll, round)
              ? poll.reply().await(Deadline.current())
              : here(main, request, round);
      if (result != null && isSomething(result)) {
        return result;
      }
    }
  }

  private static boolean isSomething(ReceiveResult result) {
    return !(result instanceof ReceiveResult.Messages(List<Envelope> none) && none.isEmpty());
  }

  private ReceiveResult scan(ReceiveRequest request) throws InterruptedException {
    var envelopes = new ArrayList<Envelope>();
    ReceiveResult refused = null;
    long bytesLeft = request.bytesMax();
    List<Integer> places = topics.of(request.topic());
    if (places.size() > 1) {
      Collections.rotate(places, turn.getAndIncrement());
    }
    for (int shard : places) {
      int wanted = request.messagesMax() - envelopes.size();
      if (wanted == 0 || (bytesLeft <= 0 && !envelopes.isEmpty())) {
        break;
      }
      ReceiveResult result = from(shard, request.upTo(wanted, bytesLeft));
      switch (result) {
        case ReceiveResult.Messages(List<Envelope> more) -> {
          envelopes.addAll(more);
          bytesLeft -= more.stream().mapToLong(one -> one.body().length).sum();
        }
        case ReceiveResult.Refused _ -> refused = refused == null ? result : refused;
      }
    }
    return envelopes.isEmpty() && refused != null ? refused : new ReceiveResult.Messages(envelopes);
  }

  private ReceiveResult park(ReceiveRequest request, Duration wait, List<ShardSlot> at)
      throws InterruptedException {
    ShardRequest.Receive poll = ask(request, true);
    Reply<ReceiveResult> reply = poll.reply();
    try (var _ = scope.draining().subscribe(() -> nothingCame(reply))) {
      Deadline deadline = Deadline.in(wait, scope.time()).earlier(Deadline.current());
      List<ShardSlot> full = notTaking(poll, at);
      if (full.size() == at.size()) {
        // None listens, the topic's own shard not either: that is for the receiver to know.
        slots.get(mainShard(request, at)).offer(poll);
      }
      ReceiveResult result = null;
      while (result == null && !full.isEmpty() && !passed(deadline)) {
        result = reply.await(Deadline.in(ROUND, scope.time()).earlier(deadline));
        full = result == null ? notTaking(poll, full) : List.of();
      }
      result = result == null ? reply.await(deadline) : result;
      if (result == null && !reply.claim()) {
        // A shard has messages in its hands for us right now.
        result = reply.await(Deadline.current());
      }
      return result == null ? new ReceiveResult.Messages(List.of()) : result;
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
  private static List<ShardSlot> notTaking(ShardRequest.Receive poll, List<ShardSlot> slots) {
    return slots.stream()
        .filter(slot -> !(slot.inbox().trySend(poll) instanceof SendResult.Sent))
        .toList();
  }

  private int mainShard(ReceiveRequest request, List<ShardSlot> at) {
    return at.size() == 1 ? at.getFirst().number() : topics.mainShard(request.topic());
  }

  private boolean passed(Deadline deadline) {
    return deadline.passed(scope.time().now());
  }

  private ReceiveResult from(int shard, ReceiveRequest request) throws InterruptedException {
    ShardRequest.Receive ask = ask(request, false);
    if (!leadership.receive(shard, ask, Duration.ZERO)) {
      slots.get(shard).offer(ask);
    }
    try (OwnWait _ = OwnWait.beginIf(leadership.alone())) {
      return await(ask);
    }
  }
}
