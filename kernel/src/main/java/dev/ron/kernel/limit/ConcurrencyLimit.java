package dev.ron.kernel.limit;

import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How many may be in flight at once; the next one is refused, never queued.
 *
 * <p>The ceiling is fixed, or it moves with {@link AdaptiveLimit} between one and the fixed
 * ceiling.
 *
 * <p>Threading: thread-safe. {@code inflight} is only changed by compare-and-set below the limit,
 * so it never exceeds the limit it was compared with; the limit moving down lets the excess run
 * out.
 */
public final class ConcurrencyLimit {
  private final Time time;
  private final AtomicInteger inflight = new AtomicInteger();
  private final AtomicReference<AdaptiveLimit> adaptive;

  private ConcurrencyLimit(Time time, AdaptiveLimit limit) {
    this.time = time;
    this.adaptive = new AtomicReference<>(limit);
  }

  public static ConcurrencyLimit fixed(Time time, int max) {
    return new ConcurrencyLimit(time, AdaptiveLimit.fixed(max));
  }

  public static ConcurrencyLimit adaptive(Time time, int initial, int max) {
    return new ConcurrencyLimit(time, AdaptiveLimit.between(1, initial, max));
  }

  /** A permit if there is room now; the caller must finish it, once. */
  public Optional<Permit> tryEnter() {
    int limit = limit();
    while (true) {
      int now = inflight.get();
      if (now >= limit) {
        return Optional.empty();
      }
      if (inflight.compareAndSet(now, now + 1)) {
        return Optional.of(new Permit(time.now(), now + 1));
      }
    }
  }

  public int limit() {
    return adaptive.get().limit();
  }

  public int inflight() {
    return inflight.get();
  }

  /** One piece of work in flight. */
  public final class Permit implements AutoCloseable {
    private final Instant since;
    private final int concurrency;
    private final AtomicBoolean finished = new AtomicBoolean();

    private Permit(Instant since, int concurrency) {
      this.since = since;
      this.concurrency = concurrency;
    }

    /** The work was done; how long it took tells the limit whether the other side queues. */
    @Override
    public void close() {
      finish(true);
    }

    /** The other side timed out or refused: the limit backs off at once. */
    public void overloaded() {
      finish(false);
    }

    private void finish(boolean served) {
      if (!finished.compareAndSet(false, true)) {
        return;
      }
      inflight.decrementAndGet();
      Duration took = Duration.between(since, time.now());
      adaptive.updateAndGet(limit -> served ? limit.served(took, concurrency) : limit.overloaded());
    }
  }
}
