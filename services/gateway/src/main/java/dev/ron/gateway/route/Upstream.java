package dev.ron.gateway.route;

import dev.ron.gateway.core.FailureEvidence;
import dev.ron.gateway.core.FailureEvidence.Weight;
import dev.ron.gateway.core.RequestKind;
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
import org.jspecify.annotations.Nullable;

/**
 * One server of a pool: how much it has to do, how much it can take, and whether it is well.
 *
 * <p>Requests that got no connection open its breaker, because nothing in them can be the cause.
 * Requests that got no answer lower its limit and put it aside while another of its pool is left,
 * once they are evidence against it; what they cannot do is close a route. That takes a failed
 * probe, which no client can word.
 *
 * <p>Threading: thread-safe; each part is atomic by itself.
 */
public final class Upstream {
  /** Requests in a row; fewer would let one lost packet take an upstream out. */
  private static final int FAILURES_MAX = 3;

  private static final int FAILED_PROBES_MAX = 2;

  private static final Duration REST_MIN = Duration.ofMillis(500);
  private static final Duration REST_MAX = Duration.ofSeconds(2);
  private static final Duration ASIDE = Duration.ofSeconds(2);

  private final Origin origin;
  private final boolean elsewhere;
  private final Time time;
  private final CircuitBreaker breaker;
  private final AtomicInteger busy = new AtomicInteger();
  private final AtomicReference<UpstreamLimit> limit;
  private final AtomicReference<FailureEvidence> failures =
      new AtomicReference<>(FailureEvidence.NONE);
  private final AtomicReference<FailureEvidence> refusals =
      new AtomicReference<>(FailureEvidence.NONE);
  private final AtomicBoolean probing = new AtomicBoolean();
  private volatile boolean healthy = true;
  private volatile boolean suspect;
  private volatile boolean ready = true;
  private volatile @Nullable Instant asideUntil;

  /** Written by one probe at a time; {@code probing} hands it from one to the next. */
  private int failedProbes;

  /**
   * @param elsewhere whether it is the gateway of another machine
   */
  Upstream(Origin origin, boolean elsewhere, Time time, int max) {
    this.origin = origin;
    this.elsewhere = elsewhere;
    this.time = time;
    this.breaker = new CircuitBreaker(origin.authority(), time, FAILURES_MAX, REST_MIN, REST_MAX);
    this.limit = new AtomicReference<>(UpstreamLimit.of(max));
  }

  public Origin origin() {
    return origin;
  }

  boolean isElsewhere() {
    return elsewhere;
  }

  int busy() {
    return busy.get();
  }

  public int limit() {
    return limit.get().limit();
  }

  void within(int max) {
    limit.updateAndGet(seen -> seen.within(max));
  }

  /** Worth a request while there is a choice. */
  boolean usable() {
    Instant aside = asideUntil;
    return reachable() && (aside == null || !time.now().isBefore(aside));
  }

  /** Usable, and it wants traffic by its own word. */
  boolean wanting() {
    return ready && usable();
  }

  /** What it said of itself when it was last asked. */
  void ready(boolean now) {
    ready = now;
  }

  /** As far as is known it answers. */
  boolean reachable() {
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
  public void served(RequestKind kind) {
    busy.decrementAndGet();
    Instant now = time.now();
    noteServed(failures, kind, now);
    noteServed(refusals, kind, now);
    limit.updateAndGet(UpstreamLimit::served);
    breaker.succeeded();
  }

  /** It answered that it has too much to do. */
  public void refused(RequestKind kind, Instant begun) {
    busy.decrementAndGet();
    Instant now = time.now();
    FailureEvidence seen = refusals.updateAndGet(before -> before.failed(kind, now));
    Weight weight = seen.weight(now);
    if (weight != Weight.NONE && refusals.compareAndSet(seen, seen.renewed())) {
      limit.updateAndGet(before -> before.refused(weight == Weight.ONE_WITNESS, begun, now));
    }
    breaker.succeeded();
  }

  /** There was no connection. */
  public void unreached(RequestKind kind, Instant begun) {
    breaker.failed();
    failed(kind, begun);
  }

  /** It gave no answer, or none that could be understood; counted once for a request. */
  public void failed(RequestKind kind, Instant begun) {
    busy.decrementAndGet();
    Instant now = time.now();
    FailureEvidence seen = failures.updateAndGet(before -> before.failed(kind, now));
    if (seen.suspicious()) {
      suspect = true;
    }
    Weight weight = seen.weight(now);
    if (weight != Weight.NONE && failures.compareAndSet(seen, seen.renewed())) {
      limit.updateAndGet(before -> before.failed(weight == Weight.ONE_WITNESS, begun, now));
      if (seen.againstWhole(now)) {
        asideUntil = now.plus(ASIDE);
      }
    }
    if (breaker.open()) {
      breaker.failed(); // the one request that was let through to see
    }
  }

  private static void noteServed(
      AtomicReference<FailureEvidence> evidence, RequestKind kind, Instant now) {
    FailureEvidence seen = evidence.get();
    if (!seen.served(kind, now).equals(seen)) { // while nothing fails, nothing is written
      evidence.updateAndGet(before -> before.served(kind, now));
    }
  }

  /** The client gave up, or this request was counted before: that says nothing more. */
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
      suspect = false;
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

  /** Requests failed, or probes did: it is asked until it answers. */
  boolean suspect() {
    return suspect || !healthy;
  }
}
