package dev.ron.http.server.dispatch;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.connection.PeerKey;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.Route;
import dev.ron.kernel.limit.TokenBucket;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A rate of their own for the routes that no other limit holds back, for each peer apart, so that a
 * client that floods them does not starve a load balancer.
 *
 * <p>Peers share a fixed number of places by a hash that only this process knows: nothing grows
 * with the number of addresses, and an attacker cannot choose which peer it shares a place with.
 *
 * <p>Threading: thread-safe.
 */
public final class OperationalLimit {
  private static final int PLACES = 1 << 10;

  /** Health is cheaper than any refusal of it, so this only ends an outright flood. */
  private static final int HEALTH_PER_SECOND = 1000;

  /** Several scrapers and a page or two that look every second. */
  private static final int DETAILS_PER_SECOND = 20;

  private final Time time;
  private final long seed;
  private final AtomicReferenceArray<@Nullable TokenBucket> health =
      new AtomicReferenceArray<>(PLACES);
  private final AtomicReferenceArray<@Nullable TokenBucket> details =
      new AtomicReferenceArray<>(PLACES);

  public OperationalLimit(Time time, RandomGenerator random) {
    this.time = time;
    this.seed = random.nextLong() | 1;
  }

  @Nullable Refusal admit(Exchange exchange) {
    Route route = exchange.route();
    Duration wait =
        route.op().equals("healthz") || route.op().equals("readyz")
            ? bucket(health, exchange, HEALTH_PER_SECOND).waitFor(1)
            : bucket(details, exchange, DETAILS_PER_SECOND).waitFor(1);
    return wait.isZero() ? null : Refusal.of(new HttpFault.Quota("one address may ask for", wait));
  }

  private TokenBucket bucket(
      AtomicReferenceArray<@Nullable TokenBucket> buckets, Exchange exchange, int perSecond) {
    long mixed = (PeerKey.of(exchange.peer()).bits() + 1) * seed;
    int place = (int) (mixed ^ (mixed >>> 29) ^ (mixed >>> 47)) & (PLACES - 1);
    TokenBucket known = buckets.get(place);
    if (known == null) {
      var fresh = new TokenBucket(time, perSecond, 2L * perSecond);
      known = buckets.compareAndSet(place, null, fresh) ? fresh : buckets.get(place);
    }
    return Objects.requireNonNull(known);
  }
}
