package dev.ron.gateway.core;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the last requests say about an upstream: whether it fails, or only what one client asks of
 * it.
 *
 * <p>A request counts once, whatever its tries. The evidence is against the upstream when at least
 * {@value #REQUESTS_MIN} requests failed, they are at least half of all, and several witnesses
 * failed wherever the traffic is of several. A witness is a tenant, or the address of a stranger:
 * one client that knows two ways to break an answer is still one, and is held against no other.
 *
 * <p>A witness that is alone is believed a little: if its failures are of several kinds, or all its
 * traffic is of one.
 *
 * <p>It covers half a minute, or {@value #WINDOW_REQUESTS} requests from the first failure on, and
 * then begins anew; that the traffic is of several kinds or witnesses is remembered for half a
 * minute more. Only single kinds are kept, because one other is enough: its size does not grow with
 * the traffic.
 *
 * <p>Threading: immutable; each outcome gives the next evidence.
 *
 * @param since when the first of these requests ended
 * @param last the kind of the request that was noted last, null if there was none
 * @param mixedAt when a request was of another kind than the one before it
 * @param crowdAt when a request was of another witness than the one before it
 * @param firstFailed the kind of the first failure
 * @param severalFailed a request of another kind failed too
 * @param crowdFailed a request of another witness failed too
 */
public record FailureEvidence(
    Instant since,
    int requests,
    int failures,
    @Nullable RequestKind last,
    Instant mixedAt,
    Instant crowdAt,
    @Nullable RequestKind firstFailed,
    boolean severalFailed,
    boolean crowdFailed) {
  /** Fewer would let one lost packet speak. */
  static final int REQUESTS_MIN = 3;

  static final int WINDOW_REQUESTS = 64;

  /** Longer than the usual time of a route, so that what times out one by one adds up. */
  static final Duration WINDOW = Duration.ofSeconds(30);

  /** While nothing fails, other kinds are noted this often and no more. */
  private static final Duration NOTED_EACH = Duration.ofSeconds(1);

  public static final FailureEvidence NONE =
      new FailureEvidence(Instant.MIN, 0, 0, null, Instant.MIN, Instant.MIN, null, false, false);

  /** How much the failures weigh against the upstream. */
  public enum Weight {
    NONE,
    ONE_WITNESS,
    SEVERAL_WITNESSES
  }

  /** The same object while nothing fails and nothing new is seen, so that this costs nothing. */
  public FailureEvidence served(RequestKind kind, Instant now) {
    FailureEvidence window = current(now);
    Instant lately = now.minus(NOTED_EACH);
    boolean news =
        window.last == null
            || (!window.last.equals(kind) && window.mixedAt.isBefore(lately))
            || (!sameWitness(window.last, kind) && window.crowdAt.isBefore(lately));
    return window.failures == 0 && !news ? window : window.ended(kind, now, false);
  }

  public FailureEvidence failed(RequestKind kind, Instant now) {
    return current(now).ended(kind, now, true);
  }

  /** Begins anew, and remembers what kinds of requests there are. */
  public FailureEvidence renewed() {
    return new FailureEvidence(Instant.MIN, 0, 0, last, mixedAt, crowdAt, null, false, false);
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
        last == null || sameWitness(last, kind) ? crowdAt : now,
        failed && firstFailed == null ? kind : firstFailed,
        severalFailed || (failed && firstFailed != null && !firstFailed.equals(kind)),
        crowdFailed || (failed && firstFailed != null && !sameWitness(firstFailed, kind)));
  }

  private static boolean sameWitness(RequestKind one, RequestKind other) {
    return one.witness().equals(other.witness());
  }

  /** Enough failed to look closer, be it all of one kind. */
  public boolean suspicious() {
    return failures >= REQUESTS_MIN && failures * 2 >= requests;
  }

  /** Whether it is the upstream, as far as its traffic can tell. */
  public Weight weight(Instant now) {
    if (!suspicious()) {
      return Weight.NONE;
    }
    if (crowdFailed) {
      return Weight.SEVERAL_WITNESSES;
    }
    boolean alone = crowdAt.plus(WINDOW).isBefore(now);
    boolean plain = mixedAt.plus(WINDOW).isBefore(now);
    return alone && (severalFailed || plain) ? Weight.ONE_WITNESS : Weight.NONE;
  }

  /** It is the upstream, and not only one kind of request that it cannot answer. */
  public boolean againstWhole(Instant now) {
    return severalFailed && weight(now) != Weight.NONE;
  }
}
