package dev.ron.http.server.guard;

import dev.ron.kernel.limit.TokenBucket;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The rate of each of many: tenants, addresses, tokens.
 *
 * <p>A bucket holds one second's worth, so one that was not asked for a second is full again and
 * can be forgotten without giving any caller a token too many. When as many are known as may be,
 * those are; if none is left, the request is refused: a limit that cannot be kept is not a limit.
 *
 * <p>Threading: thread-safe; the buckets are, and a bucket is only forgotten inside the map's own
 * step for its key, so no caller draws on a forgotten one and its successor at once.
 */
public final class QuotaBuckets {
  static final int BUCKETS_MAX = 10_000;

  /** A little more than a bucket needs to be full. */
  private static final Duration FULL_AFTER = Duration.ofMillis(1100);

  private final Time time;
  private final int max;
  private final Map<Key, Paced> buckets = new ConcurrentHashMap<>();

  /** Whose rate; a changed rate is another bucket. */
  public record Key(String kind, String name, long perSecond) {}

  private static final class Paced {
    private final TokenBucket bucket;
    private volatile Instant asked;

    Paced(TokenBucket bucket, Instant asked) {
      this.bucket = bucket;
      this.asked = asked;
    }
  }

  public QuotaBuckets(Time time) {
    this(time, BUCKETS_MAX);
  }

  QuotaBuckets(Time time, int max) {
    this.time = time;
    this.max = max;
  }

  /** Zero if the request may pass, else when to come again. */
  public Duration waitFor(Key key) {
    Instant now = time.now();
    if (!buckets.containsKey(key) && buckets.size() >= max) {
      forgetFull(now);
      if (buckets.size() >= max) {
        return FULL_AFTER;
      }
    }
    var wait = new Duration[] {Duration.ZERO};
    buckets.compute(
        key,
        (_, known) -> {
          Paced paced =
              known == null
                  ? new Paced(new TokenBucket(time, key.perSecond, key.perSecond), now)
                  : known;
          paced.asked = now;
          wait[0] = paced.bucket.waitFor(1);
          return paced;
        });
    return wait[0];
  }

  /** When {@link #waitFor} would let one pass; takes nothing and makes no bucket. */
  public Duration restOf(Key key) {
    Paced paced = buckets.get(key);
    return paced == null ? Duration.ZERO : paced.bucket.untilThere(1);
  }

  public void forgetFull(Instant now) {
    Instant before = now.minus(FULL_AFTER);
    for (Key key : buckets.keySet()) {
      buckets.computeIfPresent(key, (_, paced) -> paced.asked.isBefore(before) ? null : paced);
    }
  }

  int count() {
    return buckets.size();
  }
}
