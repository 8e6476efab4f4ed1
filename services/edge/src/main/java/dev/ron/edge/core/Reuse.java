package dev.ron.edge.core;

import dev.ron.http.field.ByteRange;
import dev.ron.http.field.CacheControl;
import dev.ron.http.field.Conditionals;
import dev.ron.http.field.ParseResult;
import dev.ron.http.field.Ranges;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides whether stored answers can serve a request (RFC 9111 section 4).
 *
 * <p>Threading: immutable; pure functions.
 */
public final class Reuse {
  private Reuse() {}

  /**
   * @param stored everything that is kept under the request's key
   * @param now the calendar, as all times of stored answers
   */
  public static CacheDecision decide(
      CacheRequest request, List<StoredResponse> stored, Instant now) {
    if (!request.reads()) {
      return new CacheDecision.Forward(
          ForwardReason.METHOD, "4: the method is not one to reuse for");
    }
    CacheDecision decision = decideRead(request, stored, now);
    boolean asks =
        !(decision instanceof CacheDecision.Hit)
            && !(decision instanceof CacheDecision.Stale(_, _, _, boolean revalidate, _)
                && !revalidate);
    return asks && request.control().has("only-if-cached")
        ? new CacheDecision.Refuse("5.2.1.7: only-if-cached")
        : decision;
  }

  private static CacheDecision decideRead(
      CacheRequest request, List<StoredResponse> stored, Instant now) {
    if (request.headers().has("If-Match") || request.headers().has("If-Unmodified-Since")) {
      return new CacheDecision.Forward(
          ForwardReason.BYPASS, "4.3.2: a condition that only the origin can judge");
    }
    if (request.isPersonal()) {
      return new CacheDecision.Forward(ForwardReason.BYPASS, "7.3: the request has a cookie");
    }
    if (stored.isEmpty()) {
      return new CacheDecision.Forward(ForwardReason.URI_MISS, "4: nothing is stored");
    }
    Optional<StoredResponse> chosen = choose(request, stored);
    if (chosen.isEmpty()) {
      return new CacheDecision.Forward(ForwardReason.VARY_MISS, "4.1: stored for other fields");
    }
    StoredResponse one = chosen.get();
    if (!one.pieces().complete() && !request.isHead()) {
      Optional<ByteRange> missing = missing(request, one, now);
      if (missing.isPresent()) {
        return incomplete(request, one, missing.get(), now);
      }
    }
    return whole(request, one, now);
  }

  /** The newest of those whose selecting fields match (section 4.1). */
  private static Optional<StoredResponse> choose(
      CacheRequest request, List<StoredResponse> stored) {
    if (stored.size() == 1) {
      StoredResponse only = stored.getFirst();
      return only.selecting().match(request.headers()) ? Optional.of(only) : Optional.empty();
    }
    return stored.stream()
        .filter(one -> one.selecting().match(request.headers()))
        .max(
            Comparator.comparing(StoredResponse::date)
                .thenComparing(StoredResponse::responseTime)
                .thenComparingLong(StoredResponse::id));
  }

  private static CacheDecision whole(CacheRequest request, StoredResponse one, Instant now) {
    CacheControl asked = request.control();
    Freshness fresh = one.freshness();
    Duration age = fresh.age(one.responseTime(), now);
    Duration left = fresh.lifetime().minus(age);
    if (fresh.mustValidate()) {
      return ask(one, ForwardReason.STALE, "5.2.2.4: no-cache");
    }
    if (asked == CacheControl.NONE) {
      return left.isPositive() ? hit(one, age, left) : stale(one, age, left);
    }
    if (asked.has("no-cache")) {
      return ask(one, ForwardReason.REQUEST, "5.2.1.4: no-cache in the request");
    }
    OptionalLong ageMax = asked.maxAgeSeconds();
    boolean tooOld = ageMax.isPresent() && age.compareTo(seconds(ageMax)) > 0;
    Duration wanted = seconds(asked.seconds("min-fresh"));
    if (!tooOld && left.isPositive() && left.compareTo(wanted) >= 0) {
      return hit(one, age, left);
    }
    if (asked.has("max-stale") && !fresh.neverStale() && !tooOld) {
      boolean anything = asked.argument("max-stale").isEmpty();
      if (anything || left.negated().compareTo(seconds(asked.seconds("max-stale"))) <= 0) {
        return new CacheDecision.Stale(
            one, age.toSeconds(), left.toSeconds(), false, "5.2.1.2: max-stale");
      }
    }
    if (left.isPositive()) {
      return ask(
          one,
          ForwardReason.REQUEST,
          tooOld ? "5.2.1.1: max-age in the request" : "5.2.1.3: min-fresh");
    }
    return tooOld ? ask(one, ForwardReason.STALE, "4.2: stale") : stale(one, age, left);
  }

  private static CacheDecision hit(StoredResponse one, Duration age, Duration left) {
    return new CacheDecision.Hit(one, age.toSeconds(), left.toSeconds(), "4.2: fresh");
  }

  private static CacheDecision stale(StoredResponse one, Duration age, Duration left) {
    Duration window = one.freshness().staleWhileRevalidate();
    if (!one.freshness().neverStale() && left.negated().compareTo(window) < 0) {
      return new CacheDecision.Stale(
          one,
          age.toSeconds(),
          left.toSeconds(),
          true,
          "RFC 5861 section 3: stale-while-revalidate");
    }
    return ask(
        one,
        ForwardReason.STALE,
        one.freshness().neverStale() ? "5.2.2.2: must-revalidate" : "4.2: stale");
  }

  /** Without a validator there is nothing to ask about: the answer is asked for anew. */
  private static CacheDecision ask(StoredResponse one, ForwardReason why, String clause) {
    return one.validatable()
        ? new CacheDecision.Validate(one, why, clause)
        : new CacheDecision.Forward(why, clause);
  }

  /**
   * What an incomplete answer lacks for this request; a range that cannot be told from the stored
   * total is asked for as it is.
   */
  private static Optional<ByteRange> missing(
      CacheRequest request, StoredResponse one, Instant now) {
    ByteRange all = new ByteRange(0, Math.max(0, one.pieces().total() - 1));
    if (!request.hasRange() || !rangeApplies(request, one, now)) {
      return one.pieces().missing(all);
    }
    return switch (Ranges.select(request.headers().all("Range"), one.pieces().total())) {
      case Ranges.Single(ByteRange range) -> one.pieces().missing(range);
      case Ranges.Unsatisfiable _ -> Optional.empty();
      case Ranges.Whole _, Ranges.Ignored _, Ranges.Several _ -> one.pieces().missing(all);
    };
  }

  /** Ranges are combined only under one strong validator, and while what is there is fresh. */
  private static CacheDecision incomplete(
      CacheRequest request, StoredResponse one, ByteRange missing, Instant now) {
    boolean strong = one.tag().filter(tag -> !tag.weak()).isPresent();
    boolean usable = whole(request, one, now) instanceof CacheDecision.Hit;
    return strong && usable
        ? new CacheDecision.Complete(one, missing, "3.4: completing what is stored")
        : new CacheDecision.Forward(ForwardReason.PARTIAL, "3.3: what is stored is incomplete");
  }

  /** Whether {@code If-Range}, if there is one, lets the range stand. */
  static boolean rangeApplies(CacheRequest request, StoredResponse one, Instant now) {
    return Conditionals.parse(request.headers()::all, now)
            instanceof ParseResult.Ok<Conditionals>(var conditionals)
        && conditionals
            .ifRange()
            .map(
                condition ->
                    condition instanceof Conditionals.IfRange.Tag(var tag)
                        && one.tag().filter(tag::matchesStrongly).isPresent())
            .orElse(true);
  }

  /**
   * Whether a stored answer may serve because the upstream failed.
   *
   * @param status what the upstream answered, 0 if it could not be reached at all
   */
  public static Optional<CacheDecision.Stale> onFailure(
      StoredResponse one, int status, Instant now) {
    Freshness fresh = one.freshness();
    Duration age = fresh.age(one.responseTime(), now);
    Duration left = fresh.lifetime().minus(age);
    if (fresh.neverStale() || !one.pieces().complete()) {
      return Optional.empty();
    }
    boolean errorExcused =
        (status == 0 || status == 500 || status == 502 || status == 503 || status == 504)
            && left.negated().compareTo(fresh.staleIfError()) < 0;
    if (errorExcused) {
      return Optional.of(stale(one, age, left, "RFC 5861 section 4: stale-if-error"));
    }
    return status == 0
        ? Optional.of(stale(one, age, left, "4.2.4: disconnected"))
        : Optional.empty();
  }

  private static CacheDecision.Stale stale(
      StoredResponse one, Duration age, Duration left, String clause) {
    return new CacheDecision.Stale(one, age.toSeconds(), left.toSeconds(), false, clause);
  }

  private static Duration seconds(OptionalLong seconds) {
    return Duration.ofSeconds(seconds.orElse(0));
  }
}
