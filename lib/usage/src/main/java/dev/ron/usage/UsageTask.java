package dev.ron.usage;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.ready.Readiness;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Brings what was counted into the journal, several times a second and at the end, and cuts spans.
 *
 * <p>Threading: steps from one thread at a time.
 */
final class UsageTask implements Task {
  /** Counts wait up to two of these and one flush; together far less than a second. */
  static final Duration TICK = Duration.ofMillis(250);

  private static final Duration LAST_WAIT = Duration.ofSeconds(1);
  private static final int LAST_TRIES = 3;

  private final Scope scope;
  private final UsageCounters counters;
  private final UsageLog log;
  private final Supplier<Duration> sealEvery;
  private final Channel<Reply<UsageSpan>> asked;
  private final Readiness.Condition condition;
  private Instant nextTick = Instant.MIN;
  private Instant lastCut;

  UsageTask(
      Scope scope,
      UsageCounters counters,
      UsageLog log,
      Supplier<Duration> sealEvery,
      Channel<Reply<UsageSpan>> asked,
      Readiness.Condition condition) {
    this.scope = scope;
    this.counters = counters;
    this.log = log;
    this.sealEvery = sealEvery;
    this.asked = asked;
    this.condition = condition;
    this.lastCut = scope.time().now();
  }

  @Override
  public Next run(Instant now) {
    Reply<UsageSpan> ask = asked.tryReceive();
    if (ask != null) {
      ask.answer(log.state().open(scope.time().wall()));
      return Next.again();
    }
    if (!now.isBefore(nextTick)) {
      nextTick = now.plus(TICK);
      tick(now);
    }
    return Next.await(asked, nextTick);
  }

  private void tick(Instant now) {
    write();
    if (log.awaitsFlush()) {
      // What is appended now would have to be flushed too: a node that is never idle would never
      // write the span. The counts stay where they are until the next tick.
      return;
    }
    Instant wall = scope.time().wall();
    log.state().begin(wall).ifPresent(log::append);
    counters.fold(false, log::append);
    if (log.state().isFull() || !now.isBefore(lastCut.plus(sealEvery.get()))) {
      Optional<UsageRecord.Cut> cut = log.state().cut(wall);
      if (cut.isPresent() && log.append(cut.get())) {
        lastCut = now;
      }
    }
  }

  private void write() {
    try {
      log.write();
      condition.met();
    } catch (IOException failed) {
      condition.missing("a span cannot be written: " + failed);
      scope.log().warn("usage-not-written", "why", failed.toString());
    }
  }

  @Override
  public void finish(Instant now) throws InterruptedException {
    var taken = new AtomicBoolean();
    for (int i = 0; i < LAST_TRIES && !taken.get(); i++) {
      taken.set(true);
      counters.fold(
          true,
          record -> {
            taken.set(log.append(record));
            return taken.get();
          });
      if (!taken.get()) {
        log.await(Deadline.in(LAST_WAIT, scope.time()));
      }
    }
    if (!taken.get()) {
      scope.log().error("usage-lost", "why", "the journal takes nothing");
    }
  }
}
