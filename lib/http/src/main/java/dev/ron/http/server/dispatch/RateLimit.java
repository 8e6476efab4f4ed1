package dev.ron.http.server.dispatch;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.limit.TokenBucket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Takes a token for each request; without one the answer is 429 and when to come back. */
public final class RateLimit implements Layer {
  private final TokenBucket bucket;

  public RateLimit(TokenBucket bucket) {
    this.bucket = bucket;
  }

  @Override
  public @Nullable Refusal admit(Exchange exchange) {
    Duration wait = bucket.waitFor(1);
    return wait.isZero() ? null : Refusal.of(new HttpFault.Quota("this server takes", wait));
  }
}
