package dev.ron.http.server.dispatch;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.limit.TokenBucket;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Takes a token for each request; without one the answer is 429 and when to come back.
 *
 * <p>Threading: thread-safe; the cap is replaced as one value.
 */
public final class RateLimit implements Layer {
  private final Time time;
  private volatile Cap cap = new Cap(0, null);

  private record Cap(int perSecond, @Nullable TokenBucket bucket) {}

  /**
   * @param perSecond 0 for no cap
   */
  public RateLimit(Time time, int perSecond) {
    this.time = time;
    change(perSecond);
  }

  /** For every request from the next one on; the same rate again hands out no new tokens. */
  public void change(int perSecond) {
    if (cap.perSecond != perSecond) {
      cap = new Cap(perSecond, perSecond == 0 ? null : new TokenBucket(time, perSecond, perSecond));
    }
  }

  @Override
  public @Nullable Refusal admit(Exchange exchange) {
    TokenBucket bucket = cap.bucket;
    Duration wait = bucket == null ? Duration.ZERO : bucket.waitFor(1);
    return wait.isZero() ? null : Refusal.of(new HttpFault.Quota("this server takes", wait));
  }
}
