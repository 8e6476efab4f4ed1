package dev.ron.mailbox.api;

import dev.ron.capability.Grant;
import dev.ron.capability.TokenId;
import dev.ron.kernel.limit.TokenBucket;
import dev.ron.kernel.time.Time;
import dev.ron.mailbox.MailboxFault;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds capabilities to their {@code rate} caveats: so many messages or requests a second, with as
 * many at once after a pause.
 *
 * <p>Counted by the token's id, so that attenuated copies share one rate. An attenuated copy with a
 * lower rate is held to its own as well. Only tokens with such a caveat are remembered; when there
 * are too many, all begin anew, which gives each at most one more burst.
 *
 * <p>Threading: thread-safe.
 */
public final class CapabilityRates {
  private static final int TOKENS_MAX = 10_000;

  private final Time time;
  private final ConcurrentHashMap<Limited, TokenBucket> buckets = new ConcurrentHashMap<>();

  /** A token under one of its rates. */
  private record Limited(TokenId token, long perSecond) {}

  public CapabilityRates(Time time) {
    this.time = time;
  }

  @Nullable MailboxFault refusal(Grant grant) {
    if (grant.ratePerSecond().isEmpty()) {
      return null;
    }
    long rate = Math.max(1, grant.ratePerSecond().getAsLong());
    if (buckets.size() >= TOKENS_MAX) {
      buckets.clear();
    }
    Duration wait =
        buckets
            .computeIfAbsent(
                new Limited(grant.tokenId(), rate), _ -> new TokenBucket(time, rate, burst(rate)))
            .waitFor(1);
    return wait.isZero()
        ? null
        : new MailboxFault.Saturated("the rate of the capability", rate, wait);
  }

  private static long burst(long rate) {
    return Math.min(rate, 1L << 33);
  }
}
