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
  private final ArrayDeque<PendingRequest> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private int calls;

  /**
   * One question.
   *
   * @param sure see {@link LeaderClient#said}
   */
  @SuppressWarnings("ArrayRecordComponent") // sent once, never compared
  record PendingRequest(ShardRequest.Do ask, byte[] question, boolean sure) {
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

  void put(PendingRequest request) {
    boolean taken =
        lock.call(
            () -> {
              long bytes = waitingBytes + request.question().length;
              if (waiting.size() == WAITING_MAX || bytes > WAITING_BYTES_MAX) {
                return false;
              }
              waiting.add(request);
              waitingBytes = bytes;
              return true;
            });
    if (taken) {
      depart();
    } else {
      request
          .ask()
          .turnAway(new MailboxFault.Saturated("outgoing", WAITING_MAX, Duration.ofSeconds(1)));
    }
  }

  private void depart() {
    for (List<PendingRequest> some = take(); some != null; some = take()) {
      // Claimed as late as can be: a request that gave up before is told that nothing was done.
      List<PendingRequest> claimed = some.stream().filter(each -> each.ask().claim()).toList();
      if (claimed.isEmpty()) {
        arrived();
      } else {
        send(claimed);
      }
    }
  }

  private @Nullable List<PendingRequest> take() {
    return lock.call(
        () -> {
          if (calls == CALLS_MAX || waiting.isEmpty()) {
            return null;
          }
          calls++;
          var some = new ArrayList<PendingRequest>();
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

  private void send(List<PendingRequest> requests) {
    byte[] question =
        requests.size() == 1
            ? requests.getFirst().question()
            : LeaderRequest.together(requests.stream().map(PendingRequest::question).toList());
    var batch = new RequestBatch(requests);
    try {
      call.ask(question, batch::answered, batch::refused);
    } catch (RuntimeException broken) {
      batch.refused(
          new MailboxFault.Unavailable(
              "the leader cannot be asked, and whether it was done is not known (%s)"
                  .formatted(broken.getClass().getSimpleName())));
    }
  }

  /** One call; whatever becomes of it, it makes place for the next, once. */
  private final class RequestBatch {
    private final List<PendingRequest> requests;
    private final AtomicBoolean over = new AtomicBoolean();

    RequestBatch(List<PendingRequest> requests) {
      this.requests = requests;
    }

    /** A leader that takes no more says so once for all of them. */
    void answered(List<Outcome> outcomes) {
      if (outcomes.size() != requests.size() && outcomes.size() != 1) {
        refused(
            new MailboxFault.Unavailable(
                "the leader gave %d answers to %d questions, and what was done is not known"
                    .formatted(outcomes.size(), requests.size())));
      } else if (over.compareAndSet(false, true)) {
        for (int i = 0; i < requests.size(); i++) {
          requests.get(i).answer(outcomes.get(Math.min(i, outcomes.size() - 1)));
        }
        next();
      }
    }

    void refused(MailboxFault fault) {
      if (over.compareAndSet(false, true)) {
        requests.forEach(each -> each.ask().refuse(fault));
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
