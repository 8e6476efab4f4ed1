package dev.ron.gateway.task;

import dev.ron.gateway.core.UpstreamLimit;
import dev.ron.http.client.Origin;
import dev.ron.kernel.limit.CircuitBreaker;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One server of a pool: how much it has to do, how much it can take, and whether it is well.
 *
 * <p>Threading: thread-safe; each part is atomic by itself.
 */
public final class Upstream {
  /** In a row; fewer would let one lost packet take an upstream out. */
  private static final int FAILURES_MAX = 3;

  private static final int FAILED_PROBES_MAX = 2;

  private static final Duration REST_MIN = Duration.ofMillis(500);
  private static final Duration REST_MAX = Duration.ofSeconds(2);

  private final Origin origin;
  private final Time time;
  private final CircuitBreaker breaker;
  private final AtomicInteger busy = new AtomicInteger();
  private final AtomicReference<UpstreamLimit> limit;
  private final AtomicBoolean probing = new AtomicBoolean();
  private volatile boolean healthy = true;

  /** Written by one probe at a time; {@code probing} hands it from one to the next. */
  private int failedProbes;

  Upstream(Origin origin, Time time, int max) {
    this.origin = origin;
    this.time = time;
    this.breaker = new CircuitBreaker(origin.authority(), time, FAILURES_MAX, REST_MIN, REST_MAX);
    this.limit = new AtomicReference<>(UpstreamLimit.of(max));
  }

  public Origin origin() {
    return origin;
  }

  int busy() {
    return busy.get();
  }

  int limit() {
    return limit.get().limit();
  }

  void within(int max) {
    limit.updateAndGet(seen -> seen.within(max));
  }

  boolean usable() {
    return healthy && !breaker.open();
  }

  boolean hasRoom() {
    return busy.get() < limit();
  }

  /** Whether an upstream that is left alone may be tried once; when to ask again if not. */
  Optional<Duration> rest() {
    return breaker.refusal().map(fault -> fault.retryAfter().orElse(REST_MIN));
  }

  public void began() {
    busy.incrementAndGet();
  }

  /** It answered, whatever it said. */
  public void served() {
    busy.decrementAndGet();
    limit.updateAndGet(UpstreamLimit::served);
    breaker.succeeded();
  }

  /** It answered that it has too much to do. */
  public void overloaded(Instant begun) {
    busy.decrementAndGet();
    Instant now = time.now();
    limit.updateAndGet(seen -> seen.failed(begun, now));
    breaker.succeeded();
  }

  /** It gave no answer, or none that could be understood. */
  public void failed(Instant begun) {
    busy.decrementAndGet();
    Instant now = time.now();
    limit.updateAndGet(seen -> seen.failed(begun, now));
    breaker.failed();
  }

  /** The client gave up; that says nothing about the upstream. */
  public void givenUp() {
    busy.decrementAndGet();
  }

  /** True for one prober at a time. */
  boolean beginProbe() {
    return probing.compareAndSet(false, true);
  }

  void probed(boolean well) {
    failedProbes = well ? 0 : failedProbes + 1;
    healthy = failedProbes < FAILED_PROBES_MAX;
    if (well) {
      breaker.succeeded();
    } else {
      breaker.failed();
    }
    probing.set(false);
  }

  /** Let alone for now: the probe is over without a result. */
  void notProbed() {
    probing.set(false);
  }

  boolean resting() {
    return breaker.open();
  }
}
