package dev.ron.node.trace;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.retry.Backoff;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.trace.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes spans from their queue and sends them, a batch at a time, again after a while if the
 * collector cannot take them now. A batch that it does not take within a minute is given up.
 *
 * <p>Meanwhile the queue fills, and what does not fit is dropped where it was ended: no request
 * waits for a collector.
 *
 * <p>Threading: steps from one thread at a time.
 */
final class SpanExport implements Task {
  static final int BATCH_SPANS_MAX = 512;

  /** So that a quiet node sends a few batches a minute, and a trace is seen soon. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  private static final Duration SEND_LIMIT = Duration.ofSeconds(5);
  private static final Duration GIVE_UP_AFTER = Duration.ofMinutes(1);

  /** Of a shutdown's time, for all that is left. */
  private static final Duration LAST_LIMIT = Duration.ofSeconds(1);

  private static final Backoff BACKOFF =
      new Backoff.Scaled(Duration.ofMillis(250), Duration.ofMillis(500), Duration.ofSeconds(10));

  private final Scope scope;
  private final Channel<Span> spans;
  private final SpanSender collector;
  private final String node;
  private final TraceMetrics metrics;
  private @Nullable Instant firstCame;
  private @Nullable Batch batch;
  private boolean failing;

  /** Spans on their way, as they are sent. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Batch(int count, byte[] json, Instant begun, int tries, Instant next) {
    Batch after(Duration rest, Instant now) {
      return new Batch(count, json, begun, tries + 1, now.plus(rest));
    }
  }

  SpanExport(
      Scope scope, Channel<Span> spans, SpanSender collector, String node, TraceMetrics metrics) {
    this.scope = scope;
    this.spans = spans;
    this.collector = collector;
    this.node = node;
    this.metrics = metrics;
  }

  @Override
  public Next run(Instant now) throws InterruptedException {
    Batch pending = batch;
    if (pending == null) {
      if (!spans.ready()) {
        return Next.await(spans);
      }
      Instant came = firstCame == null ? now : firstCame;
      firstCame = came;
      if (spans.depth() < BATCH_SPANS_MAX && now.isBefore(came.plus(LINGER))) {
        return Next.at(came.plus(LINGER));
      }
      pending = taken(now);
      batch = pending; // so that an interrupted step leaves it to the end
    }
    if (now.isBefore(pending.next())) {
      return Next.at(pending.next());
    }
    batch = sent(pending, Deadline.in(SEND_LIMIT, scope.time()));
    return Next.again();
  }

  private Batch taken(Instant now) {
    List<Span> some = spans.receiveBatch(BATCH_SPANS_MAX);
    firstCame = null;
    return new Batch(some.size(), OtlpJson.of(some, node), now, 0, now);
  }

  /** Null if there is no more to do for it. */
  private @Nullable Batch sent(Batch pending, Deadline deadline) throws InterruptedException {
    switch (collector.send(pending.json(), deadline)) {
      case SpanSender.Verdict.Taken(long rejected) -> {
        long refused = Math.min(rejected, pending.count());
        metrics.exports().labelValues("taken").inc();
        metrics.exported().inc(pending.count() - refused);
        metrics.drop("refused", refused);
        tell(false, "");
        return null;
      }
      case SpanSender.Verdict.Refused(String why) -> {
        metrics.exports().labelValues("refused").inc();
        metrics.drop("refused", pending.count());
        tell(true, why);
        return null;
      }
      case SpanSender.Verdict.Later(String why, Duration rest) -> {
        metrics.exports().labelValues("failed").inc();
        tell(true, why);
        return again(pending, rest);
      }
    }
  }

  private @Nullable Batch again(Batch pending, Duration asked) {
    Instant now = scope.time().now();
    Duration backoff = BACKOFF.delay(pending.tries(), scope.chance());
    Batch later = pending.after(asked.compareTo(backoff) > 0 ? asked : backoff, now);
    if (later.next().isAfter(pending.begun().plus(GIVE_UP_AFTER))) {
      metrics.drop("late", pending.count());
      return null;
    }
    scope.counters().backoffRetries().labelValues("spans").inc();
    return later;
  }

  /** Once when it begins to fail and once when it works again: the counters tell the rest. */
  private void tell(boolean fails, String why) {
    if (fails && !failing) {
      scope.log().warn("spans-not-exported", "to", collector.name(), "why", why);
    } else if (!fails && failing) {
      scope.log().info("spans-exported-again", "to", collector.name());
    }
    failing = fails;
  }

  @Override
  public void finish(Instant now) throws InterruptedException {
    Deadline last = Deadline.in(LAST_LIMIT, scope.time());
    Batch pending = batch;
    batch = null;
    try {
      while (pending != null || spans.ready()) {
        pending = pending == null ? taken(now) : pending;
        if (last.passed(scope.time().now()) || sent(pending, last) != null) {
          break;
        }
        pending = null;
      }
    } finally {
      int left = pending == null ? 0 : pending.count();
      while (spans.ready()) {
        left += spans.receiveBatch(BATCH_SPANS_MAX).size();
      }
      metrics.drop("shutdown", left);
    }
  }
}
