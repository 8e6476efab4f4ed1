package dev.ron.mailbox.shard;

import dev.ron.journal.FlushPosition;
import dev.ron.kernel.channel.Inbox;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.tenant.TenantFault;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.MailboxMetrics;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.QueueCommand;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.ShardDecision;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Message;
import dev.ron.mailbox.core.message.QueueFact;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueTopic;
import dev.ron.mailbox.journal.FactLog;
import dev.ron.mailbox.journal.ShardCapture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The only one that changes a shard: first what the clock decides, then what is asked.
 *
 * <p>Each decision goes to the journal, is applied, and is answered when the disk has it. The loop
 * does not wait for the disk in between, so that one flush backs many answers.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class ShardLoop implements Task {
  /** So many in one step; then the disk's answers are given before more is taken. */
  private static final int ASKS_MAX = 128;

  /** When the journal takes no more, an expiry is tried again after a flush's time. */
  private static final long PUT_OFF_MILLIS = 10;

  /** How old the figures for metrics may be. */
  private static final long FIGURES_MILLIS = 500;

  /** What a message adds to the index, and its key to the table of keys, when these are dense. */
  private static final int MESSAGE_BYTES = 40;

  private static final int KEY_BYTES = 56;

  private final ShardSlot slot;
  private final Shard shard;
  private final FactLog log;
  private final MailboxLimits bounds;
  private final ShardCommit commit;
  private final MailboxMetrics metrics;
  private final RandomGenerator random;
  private final boolean waitsForDisk;
  private final ReceiveAttempts attempts = new ReceiveAttempts();
  private long figuresAt;
  private int reorderedMost = -1;
  private boolean changed = true;

  /**
   * @param waitsForDisk false answers before the flush; the journal's settings say how long before
   */
  public ShardLoop(
      ShardSlot slot,
      FactLog log,
      MailboxMetrics metrics,
      RandomGenerator random,
      boolean waitsForDisk) {
    this(slot, slot.take(), log, metrics, random, waitsForDisk);
  }

  /** For a shard that is up to date. */
  public ShardLoop(
      ShardSlot slot,
      Shard shard,
      FactLog log,
      MailboxMetrics metrics,
      RandomGenerator random,
      boolean waitsForDisk) {
    this.slot = slot;
    this.shard = shard;
    this.log = log;
    this.bounds = slot.bounds();
    this.commit = new ShardCommit(slot, log, metrics);
    this.metrics = metrics;
    this.random = random;
    this.waitsForDisk = waitsForDisk;
  }

  @Override
  public Next run(Instant now) {
    long nowMillis = now.toEpochMilli();
    Watch.Version<FlushPosition> seen = log.flushed().latest();
    slot.pendingReplies.answer(seen.value());
    TickResult ticked = tick(nowMillis);
    boolean worked = handleAsks(nowMillis);
    servePolls(nowMillis);
    slot.settle();
    show(nowMillis);
    if (worked || ticked == TickResult.SOME) {
      return Next.again();
    }
    List<Inbox> inboxes =
        slot.pendingReplies.isEmpty()
            ? List.of(slot.inbox())
            : List.of(slot.inbox(), log.flushed().after(seen));
    return new Next.Await(inboxes, wake(ticked, nowMillis));
  }

  @Override
  public void finish(Instant now) throws InterruptedException {
    slot.finish();
  }

  private Instant wake(TickResult ticked, long nowMillis) {
    long next = ticked == TickResult.PUT_OFF ? nowMillis + PUT_OFF_MILLIS : shard.nextMillis();
    next = changed ? Math.min(next, figuresAt + FIGURES_MILLIS) : next;
    return next == Long.MAX_VALUE ? Instant.MAX : Instant.ofEpochMilli(next);
  }

  private enum TickResult {
    NOTHING,
    SOME,
    PUT_OFF
  }

  private TickResult tick(long nowMillis) {
    long due = shard.nextMillis();
    if (due > nowMillis) {
      return TickResult.NOTHING;
    }
    ShardDecision decision = shard.decide(new Command.Tick(), nowMillis, random);
    if (commit(decision) != null) {
      metrics.requeueBackoff().inc();
      return TickResult.PUT_OFF;
    }
    String number = Integer.toString(slot.number());
    metrics.scannerWakeJitter().labelValues(number).observe((double) (nowMillis - due));
    long over = decision.facts().stream().filter(fact -> !(fact instanceof Fact.Woken)).count();
    slot.counters().ioTimeouts().labelValues("recv").inc(over);
    return TickResult.SOME;
  }

  /** What a failed loop had taken and not begun comes first. */
  private boolean handleAsks(long nowMillis) {
    Queue<ShardRequest> taken = slot.take(ASKS_MAX);
    int count = Math.min(taken.size(), ASKS_MAX);
    for (int i = 0; i < count; i++) {
      ShardRequest ask = taken.remove();
      slot.inHand(ask);
      handle(ask, nowMillis);
      slot.inHand(null);
    }
    return count > 0;
  }

  private void handle(ShardRequest ask, long nowMillis) {
    switch (ask) {
      case ShardRequest.Do todo -> {
        if (todo.reply().claim()) {
          Outcome outcome = carryOut(todo.command(), nowMillis);
          answerLater(ask, () -> todo.reply().answer(outcome));
        }
      }
      case ShardRequest.Receive receive -> receive(receive, nowMillis);
      case ShardRequest.Look<?> look -> look(look);
      case ShardRequest.Capture capture -> {
        // Everything flushed that was this shard's has been applied, and so has what it appended.
        long position = Math.max(slot.appended(), log.flushed().value().position());
        capture
            .to()
            .trySend(
                new ShardCapture(
                    slot.number(), position, shard.image(), log.replication().leases(shard)));
      }
    }
  }

  private Outcome carryOut(Command command, long nowMillis) {
    ShardDecision decision = shard.decide(command, nowMillis, random);
    if (command instanceof QueueCommand.Put put && isNew(decision) && keysAreMany()) {
      // What an SDK may repeat is not worth the room of keys that senders rely on.
      decision = shard.decide(put.unlessRelied(), nowMillis, random);
    }
    MailboxFault full = full(decision, nowMillis);
    if (full != null) {
      return new Outcome.Refused(full);
    }
    MailboxFault fault = commit(decision);
    if (fault == null && command instanceof Command.Nack && rests(decision, nowMillis)) {
      slot.counters().backoffRetries().labelValues("nack").inc();
    }
    return fault == null ? decision.outcome() : new Outcome.Refused(fault);
  }

  private static boolean rests(ShardDecision decision, long nowMillis) {
    return decision.facts().stream()
        .anyMatch(fact -> fact instanceof Fact.Returned back && back.readyAtMillis() > nowMillis);
  }

  private static boolean isNew(ShardDecision decision) {
    return decision.outcome() instanceof Outcome.Accepted(_, boolean duplicate) && !duplicate;
  }

  private boolean keysAreMany() {
    return slot.idemBytes.ceiling().used() > slot.idemBytes.ceiling().max() / 2;
  }

  /** Whether what all shards share has no room for what was decided; a known key needs none. */
  private @Nullable MailboxFault full(ShardDecision decision, long nowMillis) {
    for (Fact fact : decision.facts()) {
      MailboxFault full =
          switch (fact) {
            case Fact.Sent sent -> full(sent.message(), nowMillis);
            case QueueFact.Kept(QueueRecord queue) -> indexFull(queue.bytes());
            default -> null;
          };
      if (full != null) {
        return full;
      }
    }
    return null;
  }

  private @Nullable MailboxFault indexFull(long bytes) {
    return slot.indexBytes.reserve(bytes) < bytes ? saturated(slot.indexBytes.ceiling()) : null;
  }

  private @Nullable MailboxFault full(Message message, long nowMillis) {
    MailboxFault full = indexFull(MESSAGE_BYTES);
    if (full != null) {
      return full;
    }
    if (!message.idemKey().isEmpty() && slot.idemBytes.reserve(KEY_BYTES) < KEY_BYTES) {
      long wait = Math.max(1, shard.oldestKeyEndsMillis(nowMillis) - nowMillis);
      SharedLimit idemBytes = slot.idemBytes.ceiling();
      return new MailboxFault.Saturated(idemBytes.name(), idemBytes.max(), Duration.ofMillis(wait));
    }
    TenantFault over =
        slot.queued.reserve(shard.ownerBytes().account(message.topic()), message.payloadBytes());
    if (over != null) {
      return new MailboxFault.OverQueued(over);
    }
    return bounds.diskFull().getAsBoolean()
        ? new MailboxFault.Saturated("disk_bytes", bounds.diskBytesMax(), Duration.ofSeconds(5))
        : null;
  }

  private static MailboxFault saturated(SharedLimit ceiling) {
    return new MailboxFault.Saturated(ceiling.name(), ceiling.max(), Duration.ofSeconds(1));
  }

  private void receive(ShardRequest.Receive receive, long nowMillis) {
    List<Fact.Leased> before = attempts.find(receive.request(), nowMillis);
    if (!before.isEmpty() && before.stream().allMatch(shard::holds)) {
      if (receive.reply().claim()) {
        deliverAgain(receive, before, nowMillis);
      }
    } else if (shard.hasReady(receive.request().topic())) {
      if (receive.reply().claim()) {
        deliver(receive, nowMillis);
      }
    } else if (!receive.waits() || shard.isGone(receive.request().topic(), nowMillis)) {
      if (receive.reply().claim()) {
        answerLater(receive, () -> receive.reply().answer(new ReceiveResult.Messages(List.of())));
      }
    } else if (!slot.polls.park(receive) && receive.reply().claim()) {
      receive.refuse(new MailboxFault.Saturated("polls", bounds.pollsMax(), Duration.ofSeconds(1)));
    }
  }

  /** The same messages under the same receipts, for a receive whose answer was lost. */
  private void deliverAgain(
      ShardRequest.Receive receive, List<Fact.Leased> before, long nowMillis) {
    ReceiveRequest request = receive.request();
    var envelopes = new ArrayList<Envelope>();
    for (Fact.Leased lease : before) {
      var command = new QueueCommand.Again(request.topic(), lease, request.visibilityMillis());
      ShardDecision decision = shard.decide(command, nowMillis, random);
      if (commit(decision) == null
          && decision.outcome() instanceof Outcome.Delivered(Envelope envelope)) {
        envelopes.add(envelope);
      }
    }
    attempts.renew(request, nowMillis + request.visibilityMillis());
    answerLater(receive, () -> receive.reply().answer(new ReceiveResult.Messages(envelopes)));
  }

  private void servePolls(long nowMillis) {
    if (slot.polls.isEmpty()) {
      return;
    }
    for (String topic : slot.polls.topics()) {
      while (shard.hasReady(topic)) {
        ShardRequest.Receive poll = slot.polls.claimNext(topic);
        if (poll == null) {
          break;
        }
        deliver(poll, nowMillis);
      }
    }
  }

  /**
   * The first message goes out whatever its size, or one that is too large would block its topic.
   */
  private void deliver(ShardRequest.Receive receive, long nowMillis) {
    ReceiveRequest request = receive.request();
    boolean ofQueue = QueueTopic.is(request.topic());
    long allowed =
        ofQueue ? request.messagesMax() : slot.globalInflight.reserve(request.messagesMax());
    if (allowed == 0) {
      receive.refuse(saturated(slot.globalInflight.ceiling()));
      return;
    }
    var envelopes = new ArrayList<Envelope>();
    var taken = new ArrayList<Long>();
    var leases = new ArrayList<Fact.Leased>();
    long bytesLeft = Long.MAX_VALUE;
    while (envelopes.size() < allowed) {
      var command =
          new Command.Receive(request.topic(), request.visibilityMillis(), bytesLeft, taken);
      ShardDecision decision = shard.decide(command, nowMillis, random);
      if (decision.outcome() instanceof Outcome.Delivered(Envelope next) && next.attempt() == 1) {
        reordered(shard.reorderDepth(next.message().id()));
      }
      if (decision.outcome() instanceof Outcome.Refused(MailboxFault fault)
          && envelopes.isEmpty()) {
        receive.refuse(fault);
        return;
      }
      if (commit(decision) != null
          || decision.outcome() instanceof Outcome.Empty
          || decision.outcome() instanceof Outcome.Refused) {
        break;
      }
      if (decision.outcome() instanceof Outcome.Delivered(Envelope envelope)) {
        envelopes.add(envelope);
        taken.add(envelope.message().id().number());
        decision.facts().forEach(fact -> leases.add((Fact.Leased) fact));
        metrics
            .dequeueSeconds()
            .observe(Math.max(0, nowMillis - envelope.message().tsMillis()) / 1e3);
        long before = bytesLeft == Long.MAX_VALUE ? request.bytesMax() : bytesLeft;
        bytesLeft = Math.max(0, before - envelope.body().length);
      }
    }
    slot.globalInflight.settle(shard.inFlightBeside());
    attempts.add(request, leases, nowMillis);
    answerLater(receive, () -> receive.reply().answer(new ReceiveResult.Messages(envelopes)));
  }

  private void reordered(int depth) {
    if (depth > reorderedMost) {
      reorderedMost = depth;
      metrics.reorderDepthMax().labelValues(Integer.toString(slot.number())).set(depth);
    }
  }

  private <T> void look(ShardRequest.Look<T> look) {
    if (look.reply().claim()) {
      T seen = look.look().apply(shard);
      answerLater(look, () -> look.reply().answer(new QueryResult.Seen<>(seen)));
    }
  }

  private void answerLater(ShardRequest ask, Runnable answer) {
    slot.pendingReplies.add(waitsForDisk ? slot.appended() : 0, ask, answer);
    if (!waitsForDisk) {
      slot.pendingReplies.answer(log.flushed().value());
    }
  }

  /** Null if it is done. */
  private @Nullable MailboxFault commit(ShardDecision decision) {
    MailboxFault fault = commit.run(decision, shard);
    changed |= fault == null && !decision.facts().isEmpty();
    return fault;
  }

  private void show(long nowMillis) {
    if (changed && nowMillis >= figuresAt + FIGURES_MILLIS) {
      slot.figures(ShardStats.of(shard));
      figuresAt = nowMillis;
      changed = false;
    }
  }
}
