package dev.ron.gateway.core;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the last requests say about an upstream: whether it fails, or only what one kind of request
 * asks of it.
 *
 * <p>A request counts once, whatever its tries. The evidence is against the upstream when at least
 * {@value #REQUESTS_MIN} requests failed, they are at least half of all, and they are of several
 * kinds wherever the traffic is. So one broken handler, or one client that knows how to break an
 * answer, is held against nobody else.
 *
 * <p>It covers half a minute, or {@value #WINDOW_REQUESTS} requests from the first failure on, and
 * then begins anew; that the traffic is of several kinds is remembered for half a minute more. Only
 * single kinds are kept, because one other is enough: its size does not grow with the traffic.
 *
 * <p>Threading: immutable; each outcome gives the next evidence.
 *
 * @param since when the first of these requests ended
 * @param last the kind of the request that was noted last, null if there was none
 * @param mixedAt when a request was of another kind than the one before it
 * @param firstFailed the kind of the first failure
 * @param severalFailed a request of another kind failed too
 */
public record FailureEvidence(
    Instant since,
    int requests,
    int failures,
    @Nullable RequestKind last,
    Instant mixedAt,
    @Nullable RequestKind firstFailed,
    boolean severalFailed) {
  /** Fewer would let one lost packet speak. */
  static final int REQUESTS_MIN = 3;

  static final int WINDOW_REQUESTS = 64;

  /** Longer than the usual time of a route, so that what times out one by one adds up. */
  static final Duration WINDOW = Duration.ofSeconds(30);

  /** While nothing fails, other kinds are noted this often and no more. */
  private static final Duration NOTED_EACH = Duration.ofSeconds(1);

  public static final FailureEvidence NONE =
      new FailureEvidence(Instant.MIN, 0, 0, null, Instant.MIN, null, false);

  /** The same object while nothing fails and nothing new is seen, so that this costs nothing. */
  public FailureEvidence served(RequestKind kind, Instant now) {
    FailureEvidence window = current(now);
    boolean news =
        window.last == null
            || (!window.last.equals(kind) && window.mixedAt.isBefore(now.minus(NOTED_EACH)));
    return window.failures == 0 && !news ? window : window.ended(kind, now, false);
  }

  public FailureEvidence failed(RequestKind kind, Instant now) {
    return current(now).ended(kind, now, true);
  }

  /** Begins anew, and remembers what kinds of requests there are. */
  public FailureEvidence renewed() {
    return new FailureEvidence(Instant.MIN, 0, 0, last, mixedAt, null, false);
  }

  private FailureEvidence current(Instant now) {
    return requests >= WINDOW_REQUESTS || (requests > 0 && now.isAfter(since.plus(WINDOW)))
        ? renewed()
        : this;
  }

  private FailureEvidence ended(RequestKind kind, Instant now, boolean failed) {
    return new FailureEvidence(
        requests == 0 ? now : since,
        requests + 1,
        failures + (failed ? 1 : 0),
        kind,
        last == null || last.equals(kind) ? mixedAt : now,
        failed && firstFailed == null ? kind : firstFailed,
        severalFailed || (failed && firstFailed != null && !firstFailed.equals(kind)));
  }

  /** Enough failed to look closer, be it all of one kind. */
  public boolean suspicious() {
    return failures >= REQUESTS_MIN && failures * 2 >= requests;
  }

  /** It is the upstream, as far as its traffic can tell. */
  public boolean against(Instant now) {
    boolean mixed = !mixedAt.plus(WINDOW).isBefore(now);
    return suspicious() && (severalFailed || !mixed);
  }

  /** It is the upstream, and not the only kind of request it gets. */
  public boolean againstWhole() {
    return suspicious() && severalFailed;
  }
}
