package dev.ron.http.server.guard;

import dev.ron.capability.Capability;
import dev.ron.capability.InheritedRate;
import dev.ron.capability.TokenId;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds capabilities to their {@code rate} caveats: a number of requests a second, and as many at
 * once after a pause.
 *
 * <p>A request is charged to every rate of its token's chain or, if one of them is used up, to
 * none. Copies share what they inherited, see {@link InheritedRate}. A bucket is forgotten only
 * when it is full again, so no amount of other tokens gives a token more than its rate; where there
 * is no room for another bucket, the request is refused. Each token has room of its own, because
 * its holder can make as many copies with new rates as it likes.
 *
 * <p>Threading: thread-safe; the buckets of a token are only touched inside the map's own step for
 * it.
 */
public final class CapabilityRates {
  static final int TOKENS_MAX = 10_000;
  static final int RATES_PER_TOKEN_MAX = 64;

  /** Walking all tokens costs; a holder of many must not make each of its requests cost that. */
  private static final Duration WALK_EVERY = Duration.ofMillis(100);

  private static final Duration NO_ROOM = Duration.ofSeconds(1);
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final Time time;
  private final int tokensMax;
  private final ConcurrentHashMap<TokenId, Map<String, Instant>> fullAt = new ConcurrentHashMap<>();
  private volatile Instant walked = Instant.MIN;

  /** The rate that is used up, and when to come again. */
  public record Excess(long perSecond, Duration rest) {}

  public CapabilityRates(Time time) {
    this(time, TOKENS_MAX);
  }

  CapabilityRates(Time time, int tokensMax) {
    this.time = time;
    this.tokensMax = tokensMax;
  }

  /** Counts one request; null if it may pass. */
  public @Nullable Excess charge(Capability capability) {
    if (capability.rates().isEmpty()) {
      return null;
    }
    Instant now = time.now();
    if (!fullAt.containsKey(capability.id()) && fullAt.size() >= tokensMax) {
      forgetFull(now);
      if (fullAt.size() >= tokensMax) {
        return new Excess(capability.rates().getLast().perSecond(), NO_ROOM);
      }
    }
    var excess = new @Nullable Excess[1];
    fullAt.compute(
        capability.id(),
        (_, known) -> {
          Map<String, Instant> buckets = known == null ? new HashMap<>(4) : known;
          excess[0] = charge(buckets, capability, now);
          return buckets;
        });
    return excess[0];
  }

  private static @Nullable Excess charge(
      Map<String, Instant> buckets, Capability capability, Instant now) {
    Excess most = null;
    for (InheritedRate rate : capability.rates()) {
      Duration wait = wait(buckets.get(rate.sharedName()), rate.perSecond(), now);
      if (wait.isPositive() && (most == null || wait.compareTo(most.rest()) > 0)) {
        most = new Excess(rate.perSecond(), wait);
      }
    }
    if (most != null) {
      return most;
    }
    if (!hasRoom(buckets, capability)) {
      buckets.values().removeIf(full -> !full.isAfter(now));
      if (!hasRoom(buckets, capability)) {
        return new Excess(capability.rates().getLast().perSecond(), NO_ROOM);
      }
    }
    for (InheritedRate rate : capability.rates()) {
      Instant full = buckets.get(rate.sharedName());
      buckets.put(rate.sharedName(), later(full, now).plusNanos(interval(rate.perSecond())));
    }
    return null;
  }

  private static boolean hasRoom(Map<String, Instant> buckets, Capability capability) {
    long more =
        capability.rates().stream().filter(rate -> !buckets.containsKey(rate.sharedName())).count();
    return buckets.size() + more <= RATES_PER_TOKEN_MAX;
  }

  /** A bucket is the time until it is full: one request more of it may not pass one second. */
  private static Duration wait(@Nullable Instant full, long perSecond, Instant now) {
    long interval = interval(perSecond);
    return Duration.between(now, later(full, now))
        .plusNanos(interval)
        .minusNanos(interval * perSecond);
  }

  /** Rounded up, so that no rounding gives one away. */
  private static long interval(long perSecond) {
    return Math.ceilDiv(SECOND_NANOS, perSecond);
  }

  private static Instant later(@Nullable Instant full, Instant now) {
    return full == null || full.isBefore(now) ? now : full;
  }

  private void forgetFull(Instant now) {
    if (now.isBefore(walked)) {
      return;
    }
    walked = now.plus(WALK_EVERY);
    for (TokenId id : fullAt.keySet()) {
      fullAt.computeIfPresent(
          id,
          (_, buckets) ->
              buckets.values().stream().allMatch(full -> !full.isAfter(now)) ? null : buckets);
    }
  }

  int tokens() {
    return fullAt.size();
  }
}
