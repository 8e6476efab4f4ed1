package dev.ron.rewarder.settle;

import dev.ron.capability.caveat.Owner;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.limit.CircuitBreaker;
import dev.ron.kernel.retry.Backoff;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.rewarder.RewarderMetrics;
import dev.ron.rewarder.artifact.AllocationReader;
import dev.ron.rewarder.artifact.Artifacts;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.payout.DoubleEntry;
import dev.ron.rewarder.core.payout.Intent;
import dev.ron.rewarder.core.payout.Settlements;
import dev.ron.rewarder.epoch.AgreedRun;
import dev.ron.rewarder.epoch.EpochLog;
import dev.ron.rewarder.epoch.RunSteps;
import dev.ron.rewarder.epoch.Runs;
import dev.ron.rewarder.ledger.Outbox;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pays what was allocated: sends the lines of closed runs to the ledger, a batch at a time, and
 * records its progress.
 *
 * <p>A batch whose outcome is unknown is sent again: the ledger takes each key once. A ledger that
 * fails is asked again after 100 to 250 ms, then twice that up to five seconds; one that fails five
 * times in a row is left alone by the breaker. A run that the ledger refuses is passed over until
 * the next start, and the others go on.
 *
 * <p>It holds no list of its own: it pays the closed runs that the outbox does not have as done, so
 * any number of them can wait for a ledger.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class Emitter implements Task {
  private static final int FAILURES_MAX = 5;
  private static final Duration REST_MIN = Duration.ofSeconds(1);
  private static final Duration REST_MAX = Duration.ofSeconds(30);
  private static final Backoff BACKOFF =
      new Backoff.Scaled(Duration.ofMillis(100), Duration.ofMillis(250), Duration.ofSeconds(5));

  private final Scope scope;
  private final Channel<Manifest> intents;
  private final Artifacts artifacts;
  private final Outbox outbox;
  private final LedgerSink sink;
  private final Runs runs;
  private final EpochLog log;
  private final RewarderMetrics metrics;
  private final Map<String, String> stalled;
  private final RunSteps steps;
  private final CircuitBreaker breaker;
  private int at;
  private int failures;
  private Instant notBefore = Instant.MIN;
  private @Nullable OpenRun open;

  /** The run that is being paid, its file open. */
  private record OpenRun(String runKey, AllocationReader lines) {}

  /**
   * @param intents rings when a run was closed; which one, {@code runs} says
   * @param runs of which those that are closed and not paid are paid, in the order of their closing
   * @param log which of them the machines of a cluster agree on; no other is paid
   * @param stalled where a run that the ledger refuses is told, with the reason
   */
  public Emitter(
      Scope scope,
      Channel<Manifest> intents,
      Artifacts artifacts,
      Outbox outbox,
      LedgerSink sink,
      Runs runs,
      EpochLog log,
      RewarderMetrics metrics,
      Map<String, String> stalled,
      RunSteps steps) {
    this.scope = scope;
    this.intents = intents;
    this.artifacts = artifacts;
    this.outbox = outbox;
    this.sink = sink;
    this.metrics = metrics;
    this.stalled = stalled;
    this.steps = steps;
    this.breaker = new CircuitBreaker("ledger", scope.time(), FAILURES_MAX, REST_MIN, REST_MAX);
    this.runs = runs;
    this.log = log;
  }

  private boolean isPaid(Manifest run) {
    return outbox.of(run.runKey()).filter(Settlements.Progress::done).isPresent();
  }

  @Override
  public Next run(Instant now) throws Exception {
    Manifest run = next();
    if (run == null) {
      return Next.await(intents);
    }
    if (now.isBefore(notBefore)) {
      return Next.at(notBefore);
    }
    var refused = breaker.refusal();
    if (refused.isPresent()) {
      notBefore = now.plus(refused.get().retryAfter().orElse(REST_MIN));
      return Next.at(notBefore);
    }
    try {
      if (pay(run, now)) {
        at++;
        intents.tryReceive();
        letGo();
      }
    } catch (IOException | RuntimeException failed) {
      letGo(); // the task that is started in its place opens its own
      throw failed;
    }
    return Next.again();
  }

  /**
   * The first run that is not paid; null if there is none.
   *
   * <p>The writer enters a run before it sends a notice of it. So once the notices are taken, every
   * run they are about is in the list; a later one rings again.
   */
  private @Nullable Manifest next() {
    Manifest run = skipPaid();
    if (run == null && !intents.receiveBatch(intents.capacity()).isEmpty()) {
      run = skipPaid();
    }
    return run;
  }

  private @Nullable Manifest skipPaid() {
    Manifest run = runs.closed(at).orElse(null);
    while (run != null && isPaid(run)) {
      run = runs.closed(++at).orElse(null);
    }
    return run;
  }

  /** Sends the next batch; true if there is none left. */
  private boolean pay(Manifest run, Instant now) throws IOException, InterruptedException {
    if (open == null || !open.runKey().equals(run.runKey())) {
      switch (claimed(run, now)) {
        case FAILED -> {
          return false;
        }
        case REFUSED -> {
          return true;
        }
        case TAKEN -> {}
      }
    }
    Settlements.Progress at = outbox.of(run.runKey()).orElseGet(() -> progress(run, 1));
    if (at.done()) {
      return true;
    }
    var batch = new ArrayList<Intent>();
    long next = gather(run, at, batch);
    if (!batch.isEmpty()) {
      switch (sent(run, batch, now)) {
        case FAILED -> {
          return false;
        }
        case REFUSED -> {
          return true;
        }
        case TAKEN -> steps.did("batch-taken");
      }
    }
    var progress = new Settlements.Progress(at.runKey(), next, at.lines());
    if (!isAgreed(progress, now)) {
      return false;
    }
    outbox.record(progress);
    steps.did("batch-recorded");
    return progress.done();
  }

  /**
   * Before the first line is sent after a start, the epoch must be this run's on all machines: it
   * may have been closed while there were no others, and a machine that was cut off must not pay
   * what the others know nothing of.
   */
  private Sent claimed(Manifest run, Instant now) throws IOException, InterruptedException {
    AgreedRun own = AgreedRun.of(run);
    long first = 1;
    try {
      AgreedRun holder = log.claim(own);
      if (!holder.equals(own)) {
        String why = "epoch %s is closed by run %s".formatted(run.epoch(), holder.runKey());
        stalled.put(run.runKey(), "refused: " + why);
        scope.log().error("intents-refused", "epoch", run.epoch(), "why", why);
        return Sent.REFUSED;
      }
      if (sink.isShared() && outbox.of(run.runKey()).isEmpty()) {
        first = log.firstUnpaid(run.runKey());
      }
    } catch (IOException away) {
      disagreed(run.runKey(), away, now);
      return Sent.FAILED;
    }
    if (first > 1) {
      outbox.record(progress(run, first));
    }
    stalled.remove(run.runKey());
    return Sent.TAKEN;
  }

  private static Settlements.Progress progress(Manifest run, long next) {
    return new Settlements.Progress(run.runKey(), next, run.number("lines"));
  }

  /** Whether the other machines know of it, where one of them could pay the same lines again. */
  private boolean isAgreed(Settlements.Progress progress, Instant now) throws InterruptedException {
    try {
      if (sink.isShared()) {
        log.paid(progress.runKey(), progress.next());
      }
      return true;
    } catch (IOException away) {
      disagreed(progress.runKey(), away, now);
      return false;
    }
  }

  private void disagreed(String runKey, IOException why, Instant now) {
    notBefore = now.plus(BACKOFF.delay(failures++, scope.chance()));
    stalled.put(runKey, "waiting for the other machines: " + why.getMessage());
    scope.log().warn("epoch-not-agreed", "run", runKey, "why", String.valueOf(why.getMessage()));
  }

  /** Lines that pay something, from where the run is; answers the line after the last one. */
  private long gather(Manifest run, Settlements.Progress at, List<Intent> batch)
      throws IOException {
    long[] next = {at.next()};
    lines(run)
        .from(
            at.next(),
            line -> {
              next[0] = line.line() + 1;
              if (!line.amount().isZero()) {
                batch.add(new Intent(run.runKey(), line.line(), line.actor(), line.amount()));
              }
              return batch.size() < sink.batchMax();
            });
    return next[0];
  }

  private AllocationReader lines(Manifest run) throws IOException {
    OpenRun current = open;
    if (current == null || !current.runKey().equals(run.runKey())) {
      letGo();
      current =
          new OpenRun(run.runKey(), artifacts.allocations(run.runKey(), false, run.poolCount()));
      open = current;
    }
    return current.lines();
  }

  private void letGo() throws IOException {
    OpenRun last = open;
    open = null;
    if (last != null) {
      last.lines().close();
    }
  }

  @Override
  public void finish(Instant now) throws IOException {
    // Nothing is lost with them: the next start finds the runs they are about.
    intents.receiveBatch(intents.capacity());
    letGo();
  }

  /** The outcome of a batch. */
  private enum Sent {
    TAKEN,
    FAILED,
    REFUSED
  }

  private Sent sent(Manifest run, List<Intent> batch, Instant now) throws InterruptedException {
    String mark = Owner.ofKept(run.epoch()).mark();
    var book =
        new DoubleEntry.Book(
            run.runKey(),
            Owner.plain(run.epoch()),
            mark + run.text("asset"),
            run.wide("pool_minor"));
    try {
      switch (sink.send(book, batch)) {
        case LedgerSink.Taken.Accepted(int fresh, int duplicates) -> {
          metrics.intents().labelValues("accepted").inc(fresh);
          metrics.intents().labelValues("duplicate").inc(duplicates);
          breaker.succeeded();
          failures = 0;
          stalled.remove(run.runKey());
          return Sent.TAKEN;
        }
        case LedgerSink.Taken.Refused(String why) -> {
          breaker.succeeded();
          metrics.intents().labelValues("refused").inc(batch.size());
          stalled.put(run.runKey(), "refused: " + why);
          scope.log().error("intents-refused", "epoch", run.epoch(), "why", why);
          return Sent.REFUSED;
        }
      }
    } catch (IOException unknown) {
      breaker.failed();
      metrics.intents().labelValues("failed").inc(batch.size());
      scope.counters().backoffRetries().labelValues("ledger").inc();
      notBefore = now.plus(BACKOFF.delay(failures++, scope.chance()));
      stalled.put(run.runKey(), "waiting for the ledger: " + unknown.getMessage());
      scope.log().warn("ledger-failed", "why", String.valueOf(unknown.getMessage()));
      return Sent.FAILED;
    }
  }
}
