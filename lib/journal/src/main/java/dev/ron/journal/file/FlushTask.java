package dev.ron.journal.file;

import dev.ron.journal.FlushPosition;
import dev.ron.journal.JournalFault;
import dev.ron.journal.JournalSettings;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.ready.Readiness;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Writes everything that waits with one write, flushes once, and says how far that got.
 *
 * <p>While one batch is on its way to the disk the next one gathers, so the slower the disk, the
 * more requests share a flush. Those whom a flush has just released come back one by one; flushing
 * for the first of them makes all others wait for a second flush. So the task waits for as many as
 * there were, but no longer than a quarter of what the last flush took. A write that fails is tried
 * again, since a full disk may be emptied. A flush that fails is the end: see {@link
 * JournalFault.Poisoned}.
 *
 * <p>Put it above the appenders in the tree, so that it is drained after them.
 *
 * <p>Threading: steps from one thread at a time; there is one for each journal.
 */
public final class FlushTask implements Task {
  private static final Duration RETRY = Duration.ofMillis(100);

  /** On a disk that takes this long four times over, waiting more would be felt. */
  private static final Duration GATHER_MAX = Duration.ofMillis(2);

  private final Scope scope;
  private final JournalSettings settings;
  private final long id;
  private final AppendBuffer pending;
  private final SegmentWriter writer;
  private final Watch<FlushPosition> flushed;
  private final Readiness.Condition ready;
  private final Histogram seconds;
  private final Counter flushedRecords;
  private @Nullable FlushBatch taken;
  private Instant notBefore = Instant.MIN;
  private boolean over;
  private boolean gathering;
  private int outstanding;
  private Duration gatherLimit = Duration.ZERO;

  FlushTask(
      Scope scope,
      JournalSettings settings,
      long id,
      AppendBuffer pending,
      SegmentWriter writer,
      Watch<FlushPosition> flushed) {
    this.scope = scope;
    this.settings = settings;
    this.id = id;
    this.pending = pending;
    this.writer = writer;
    this.flushed = flushed;
    this.ready = scope.readiness().condition(settings.name());
    String prefix = settings.name().replace('-', '_');
    this.seconds =
        scope.metrics().latency(prefix + "_flush_seconds", "Time of one write and flush.");
    this.flushedRecords =
        scope.metrics().counter(prefix + "_records_flushed_total", "Records made durable.");
    ready.met();
  }

  @Override
  public Next run(Instant now) {
    if (over) {
      return Next.at(Instant.MAX);
    }
    if (now.isBefore(notBefore)) {
      return Next.at(notBefore);
    }
    if (!gathering && gatherLimit.isPositive() && fewerThanLastTime()) {
      gathering = true;
      pending.want(outstanding);
      return Next.await(pending, now.plus(gatherLimit));
    }
    gathering = false;
    pending.want(1);
    if (!flushOne(now)) {
      return over ? Next.at(Instant.MAX) : Next.at(notBefore);
    }
    notBefore = now.plus(settings.flushInterval());
    return Next.await(pending);
  }

  /** Takes nothing more, flushes what is there, leaves a mark, closes. */
  @Override
  public void finish(Instant now) throws IOException {
    pending.end(new JournalFault.Closed(settings.name()));
    boolean all = !over;
    while (all && (taken != null || pending.records() > 0)) {
      all = flushOne(now);
    }
    if (all) {
      mark();
    }
    writer.close();
    if (!over) {
      over = true;
      ready.missing("closed");
      flushed.set(flushed.value().endedBy(new JournalFault.Closed(settings.name())));
    }
  }

  private boolean fewerThanLastTime() {
    int waiting = pending.records();
    return taken == null && waiting > 0 && waiting < outstanding;
  }

  /** False if the disk did not take it, or never will. */
  private boolean flushOne(Instant now) {
    FlushBatch batch = taken == null ? pending.take() : taken;
    if (batch == null) {
      return true;
    }
    taken = batch;
    try {
      writer.write(batch);
    } catch (IOException failed) {
      stalled(failed, now);
      return false;
    }
    try {
      writer.flush(batch);
    } catch (IOException failed) {
      poison(failed);
      return false;
    }
    taken = null;
    Duration took = Duration.between(now, scope.time().now());
    int records = Math.toIntExact(batch.next() - batch.first());
    // All whom we know of: released now, or come while the disk was at work.
    outstanding = records + pending.records();
    gatherLimit = settings.flushInterval().isZero() ? shorter(took.dividedBy(4)) : Duration.ZERO;
    pending.giveBack(batch);
    // Counted before it is told: who was answered finds it in the metrics.
    flushedRecords.inc(records);
    seconds.observe(took.toNanos() / 1e9);
    flushed.set(FlushPosition.upTo(batch.next()));
    ready.met();
    return true;
  }

  private static Duration shorter(Duration asked) {
    return asked.compareTo(GATHER_MAX) < 0 ? asked : GATHER_MAX;
  }

  private void stalled(IOException failed, Instant now) {
    notBefore = now.plus(RETRY);
    ready.missing("the disk refuses writes and is tried again: " + why(failed));
    scope.log().warn("journal-stalled", "journal", settings.name(), "why", why(failed));
  }

  private void poison(IOException failed) {
    over = true;
    var fault = new JournalFault.Poisoned(why(failed));
    pending.end(fault);
    ready.missing(fault.detail());
    scope.log().error("journal-poisoned", "journal", settings.name(), "why", why(failed));
    flushed.set(flushed.value().endedBy(fault));
  }

  /** Without it damage to the last batch looks like a crash; a full disk just leaves it so. */
  private void mark() {
    ByteBuffer bytes = ByteBuffer.allocate(Frame.HEADER_BYTES);
    long next = pending.next();
    Frame.putMark(bytes, id, next);
    var mark = new FlushBatch(bytes.flip(), next, next);
    try {
      writer.write(mark);
      writer.flush(mark);
    } catch (IOException failed) {
      scope.log().warn("journal-unmarked", "journal", settings.name(), "why", why(failed));
    }
  }

  private static String why(IOException failed) {
    return String.valueOf(failed.getMessage());
  }
}
