package dev.ron.mailbox.cluster;

import dev.ron.kernel.Scope;
import dev.ron.kernel.lock.RankedLock;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.cluster.protocol.LeaderRequest;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.shard.ShardRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What this machine has to ask the leader of one group: while some of it is on its way the rest
 * gathers, and goes together.
 *
 * <p>A question by itself costs two machines more than what it asks for; the leader flushes once
 * for all that come together anyway.
 *
 * <p>Threading: thread-safe; {@code lock} guards what waits.
 */
final class LeaderRequestQueue {
  /** Below those of leader terms, which no thread holds while it asks another machine. */
  private static final int RANK = 870;

  /** One to be decided on while the next is on the wire. */
  private static final int CALLS_MAX = 2;

  private static final int TOGETHER_MAX = 128;
  private static final int BYTES_MAX = 1 << 20;

  /** What may wait, in questions and in bytes; more is refused as busy. */
  private static final int WAITING_MAX = 1024;

  private static final int WAITING_BYTES_MAX = 64 << 20;

  private final RankedLock lock;
  private final Call call;
  private final ArrayDeque<Errand> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private int calls;

  /**
   * One question.
   *
   * @param sure see {@link LeaderClient#said}
   */
  @SuppressWarnings("ArrayRecordComponent") // sent once, never compared
  record Errand(ShardRequest.Do ask, byte[] question, boolean sure) {
    void answer(Outcome outcome) {
      ask.reply().answer(LeaderClient.said(outcome, sure));
    }
  }

  /** Asks the leader; one of the two is called, once and from any thread. */
  @FunctionalInterface
  interface Call {
    void ask(byte[] question, Consumer<List<Outcome>> answer, Consumer<MailboxFault> refuse);
  }

  LeaderRequestQueue(Scope scope, int group, Call call) {
    this.lock = new RankedLock(scope.registry(), "outgoing-" + group, RANK);
    this.call = call;
  }

  void put(Errand errand) {
    boolean taken =
        lock.call(
            () -> {
              long bytes = waitingBytes + errand.question().length;
              if (waiting.size() == WAITING_MAX || bytes > WAITING_BYTES_MAX) {
                return false;
              }
              waiting.add(errand);
              waitingBytes = bytes;
              return true;
            });
    if (taken) {
      depart();
    } else {
      errand
          .ask()
          .turnAway(new MailboxFault.Saturated("outgoing", WAITING_MAX, Duration.ofSeconds(1)));
    }
  }

  private void depart() {
    for (List<Errand> some = take(); some != null; some = take()) {
      // Claimed as late as can be: a request that gave up before is told that nothing was done.
      List<Errand> claimed = some.stream().filter(each -> each.ask().claim()).toList();
      if (claimed.isEmpty()) {
        arrived();
      } else {
        send(claimed);
      }
    }
  }

  private @Nullable List<Errand> take() {
    return lock.call(
        () -> {
          if (calls == CALLS_MAX || waiting.isEmpty()) {
            return null;
          }
          calls++;
          var some = new ArrayList<Errand>();
          long bytes = 0;
          while (!waiting.isEmpty() && some.size() < TOGETHER_MAX) {
            bytes += waiting.getFirst().question().length;
            if (bytes > BYTES_MAX && !some.isEmpty()) {
              break;
            }
            some.add(waiting.removeFirst());
            waitingBytes -= some.getLast().question().length;
          }
          return some;
        });
  }

  private void send(List<Errand> errands) {
    byte[] question =
        errands.size() == 1
            ? errands.getFirst().question()
            : LeaderRequest.together(errands.stream().map(Errand::question).toList());
    var trip = new Trip(errands);
    try {
      call.ask(question, trip::answered, trip::refused);
    } catch (RuntimeException broken) {
      trip.refused(
          new MailboxFault.Unavailable(
              "the leader cannot be asked, and whether it was done is not known (%s)"
                  .formatted(broken.getClass().getSimpleName())));
    }
  }

  /** One call; whatever becomes of it, it makes place for the next, once. */
  private final class Trip {
    private final List<Errand> errands;
    private final AtomicBoolean over = new AtomicBoolean();

    Trip(List<Errand> errands) {
      this.errands = errands;
    }

    /** A leader that takes no more says so once for all of them. */
    void answered(List<Outcome> outcomes) {
      if (outcomes.size() != errands.size() && outcomes.size() != 1) {
        refused(
            new MailboxFault.Unavailable(
                "the leader gave %d answers to %d questions, and what was done is not known"
                    .formatted(outcomes.size(), errands.size())));
      } else if (over.compareAndSet(false, true)) {
        for (int i = 0; i < errands.size(); i++) {
          errands.get(i).answer(outcomes.get(Math.min(i, outcomes.size() - 1)));
        }
        next();
      }
    }

    void refused(MailboxFault fault) {
      if (over.compareAndSet(false, true)) {
        errands.forEach(each -> each.ask().refuse(fault));
        next();
      }
    }
  }

  private void next() {
    arrived();
    depart();
  }

  private void arrived() {
    lock.run(() -> calls--);
  }
}
