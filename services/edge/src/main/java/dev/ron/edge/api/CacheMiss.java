package dev.ron.edge.api;

import dev.ron.edge.EdgeConfig;
import dev.ron.edge.EdgeFault;
import dev.ron.edge.Mount;
import dev.ron.edge.core.CacheDecision;
import dev.ron.edge.core.CacheKey;
import dev.ron.edge.core.CacheRequest;
import dev.ron.edge.core.CacheStatus;
import dev.ron.edge.core.ForwardReason;
import dev.ron.edge.core.Reuse;
import dev.ron.edge.core.StoredResponse;
import dev.ron.edge.fill.Fill;
import dev.ron.edge.fill.FillBytes;
import dev.ron.edge.fill.SingleFlight;
import dev.ron.http.Headers;
import dev.ron.http.field.ByteRange;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request that has to wait: for the disk, or for an upstream together with all that ask for the
 * same.
 *
 * <p>Threading: immutable; runs on the request's virtual thread.
 */
final class CacheMiss {
  /** After so many answers that were another request's alone, a request asks for itself. */
  private static final int ROUNDS_MAX = 3;

  /** Of the time that is left, what is kept for an answer from the store. */
  private static final int RESERVE_SHARE = 10;

  private static final Duration RESERVE_MAX = Duration.ofMillis(500);

  private final EdgeContext context;
  private final Mount mount;
  private final StoredAnswer stored;

  CacheMiss(EdgeContext context, Mount mount, StoredAnswer stored) {
    this.context = context;
    this.mount = mount;
    this.stored = stored;
  }

  Answer answer(Exchange exchange, CacheKey key) throws IOException, InterruptedException {
    Headers headers =
        mount
            .fields()
            .admitted(context.rights().onward(exchange))
            .set("X-Corr-ID", exchange.corrId());
    CacheRequest request = CacheRequest.of(exchange.method(), key, headers);
    for (int round = 1; ; round++) {
      boolean alone = round > ROUNDS_MAX;
      Optional<Answer> answer = round(exchange, request, alone);
      if (answer.isPresent()) {
        return answer.get();
      }
      if (alone) {
        return Answer.problem(
            new EdgeFault.Unavailable("the answer changed while it was looked for"));
      }
    }
  }

  /** Empty if the world has changed meanwhile, so that the decision is to be made anew. */
  private Optional<Answer> round(Exchange exchange, CacheRequest request, boolean alone)
      throws IOException, InterruptedException {
    Instant now = context.time().wall();
    List<StoredResponse> found = context.cache().find(request.key());
    CacheDecision decision = Reuse.decide(request, found, now);
    return switch (decision) {
      case CacheDecision.Hit(var one, long age, long ttl, _) ->
          served(request, one, CacheStatus.hit(ttl), age, now);
      case CacheDecision.Stale stale -> {
        if (stale.revalidate()) {
          revalidate(request, stale.stored());
        }
        yield served(request, stale.stored(), CacheStatus.stale(stale), stale.ageSeconds(), now);
      }
      case CacheDecision.Refuse _ -> Optional.of(Answer.problem(new EdgeFault.NotCached()));
      case CacheDecision.Forward(ForwardReason why, _) ->
          fetch(exchange, request, new Fill.Ask.Plain(), why, fallback(request, found), alone);
      case CacheDecision.Validate(var one, ForwardReason why, _) ->
          fetch(exchange, request, asking(request, one), why, one, alone);
      case CacheDecision.Complete(var one, ByteRange missing, _) ->
          fetch(
              exchange,
              request,
              new Fill.Ask.Missing(one, missing),
              ForwardReason.PARTIAL,
              one,
              alone);
    };
  }

  /** HEAD asks for itself: its answer freshens what is stored. */
  private static Fill.Ask asking(CacheRequest request, StoredResponse one) {
    return request.isHead() ? new Fill.Ask.Plain() : new Fill.Ask.Confirm(one);
  }

  /** A stale answer without a validator can still serve when no upstream can be reached. */
  private static @Nullable StoredResponse fallback(
      CacheRequest request, List<StoredResponse> found) {
    return found.stream()
        .filter(one -> one.selecting().match(request.headers()))
        .findFirst()
        .orElse(null);
  }

  private Optional<Answer> served(
      CacheRequest request, StoredResponse one, CacheStatus status, long age, Instant now)
      throws IOException {
    Optional<Answer> answer =
        stored.of(request, one, status, age, now, StoredAnswer.Haste.BLOCKING);
    if (answer.isPresent()) {
      context.metrics().hit(answer.get());
      Payer.current().charge(Meter.Unit.CACHE_HITS, 1);
    } else {
      context.cache().forget(one); // the store lost it: as if it had never been stored
    }
    return answer;
  }

  private void revalidate(CacheRequest request, StoredResponse one) {
    if (context.config().mode() == EdgeConfig.Mode.LIVE) {
      var background = new CacheRequest("GET", request.key(), request.headers(), request.control());
      var _ =
          context
              .fills()
              .join(
                  new SingleFlight.Key(request.key(), ""),
                  () -> {
                    Fill fill = fill(background, asking(background, one), null);
                    fill.leave();
                    return fill;
                  });
    }
  }

  private Fill fill(CacheRequest request, Fill.Ask ask, @Nullable Exchange exchange) {
    return new Fill(
        context.time(),
        request,
        mount,
        ask,
        exchange == null ? (_, _) -> {} : new InterimAnswers(exchange)::passOn);
  }

  private Optional<Answer> fetch(
      Exchange exchange,
      CacheRequest request,
      Fill.Ask ask,
      ForwardReason why,
      @Nullable StoredResponse fallback,
      boolean alone)
      throws IOException, InterruptedException {
    EdgeFault refused = egress();
    if (refused != null) {
      return Optional.of(staleOr(request, fallback, 0, refused));
    }
    context.metrics().misses().inc();
    boolean shareable = !alone && shareable(request, ask);
    SingleFlight.Place place =
        shareable
            ? joined(exchange, request, ask)
            : context.fills().alone(fill(request, ask, exchange));
    return switch (place) {
      case SingleFlight.Place.Refused(EdgeFault fault) -> Optional.of(Answer.problem(fault));
      case SingleFlight.Place.Waiting(Fill fill, boolean first) ->
          prefersAsync(request)
              ? Optional.of(accepted(fill, first))
              : await(exchange, request, fill, first, why, fallback);
    };
  }

  /** Who wants a range of what is being filled whole waits for that. */
  private SingleFlight.Place joined(Exchange exchange, CacheRequest request, Fill.Ask ask) {
    Optional<SingleFlight.Place> whole =
        request.hasRange()
            ? context.fills().running(new SingleFlight.Key(request.key(), ""))
            : Optional.empty();
    return whole.orElseGet(
        () -> context.fills().join(shareKey(request, ask), () -> fill(request, ask, exchange)));
  }

  private @Nullable EdgeFault egress() {
    EdgeConfig config = context.config();
    if (config.mode() == EdgeConfig.Mode.OFFLINE) {
      return new EdgeFault.Offline("the edge is offline and has no answer that may be used");
    }
    return config.amnesia() && config.fill().underAmnesia() == EdgeConfig.AmnesiaFill.REFUSE
        ? new EdgeFault.Amnesia()
        : null;
  }

  /** What is said to one client only is asked for one client only. */
  private static boolean shareable(CacheRequest request, Fill.Ask ask) {
    return !request.isHead()
        && !request.isPersonal()
        && !request.headers().has("Authorization")
        && !request.headers().has("If-Match")
        && !request.headers().has("If-Unmodified-Since")
        && !request.control().noStore()
        && !(request.hasRange()
            && request.headers().has("If-Range")
            && ask instanceof Fill.Ask.Plain);
  }

  private static SingleFlight.Key shareKey(CacheRequest request, Fill.Ask ask) {
    return switch (ask) {
      case Fill.Ask.Plain _ ->
          new SingleFlight.Key(
              request.key(),
              request.hasRange() ? String.join(",", request.headers().all("Range")) : "");
      case Fill.Ask.Confirm _ -> new SingleFlight.Key(request.key(), "");
      case Fill.Ask.Missing(_, ByteRange range) ->
          new SingleFlight.Key(request.key(), range.first() + "-" + range.last());
    };
  }

  private static boolean prefersAsync(CacheRequest request) {
    return request.headers().all("Prefer").stream()
        .flatMap(line -> List.of(line.split(",", -1)).stream())
        .anyMatch(preference -> preference.strip().equalsIgnoreCase("respond-async"));
  }

  private static Answer accepted(Fill fill, boolean first) {
    if (first) {
      fill.leave();
    }
    return Answer.empty(202).with("Preference-Applied", "respond-async").with("Retry-After", "1");
  }

  private Optional<Answer> await(
      Exchange exchange,
      CacheRequest request,
      Fill fill,
      boolean first,
      ForwardReason why,
      @Nullable StoredResponse fallback)
      throws IOException, InterruptedException {
    Fill.Outcome outcome;
    try {
      outcome = fill.await(patience(exchange.deadline(), fallback));
    } catch (InterruptedException gone) {
      if (first) {
        fill.leave();
      }
      throw gone;
    }
    Instant now = context.time().wall();
    CacheStatus status = first ? CacheStatus.forwarded(why) : collapsed(why);
    return switch (outcome) {
      case null -> {
        if (first) {
          fill.leave();
        }
        var late = new EdgeFault.UpstreamTimeout("the fill took too long to begin");
        yield Optional.of(staleOr(request, fallback, 0, late));
      }
      case Fill.Outcome.Failed(EdgeFault fault) ->
          Optional.of(staleOr(request, fallback, 0, fault));
      case Fill.Outcome.Confirmed(StoredResponse one, int code) ->
          one.selecting().match(request.headers())
              ? confirmed(request, one, status.status(code), now)
              : Optional.empty();
      case Fill.Outcome.Answered answered ->
          first
              ? own(request, fill, answered, status, fallback, now)
              : shared(exchange, request, fill, answered, status, now);
    };
  }

  /**
   * How long an upstream is waited for. What could be sent in its stead has to arrive before the
   * client stops waiting: a gateway has the same deadline.
   */
  private Deadline patience(Deadline deadline, @Nullable StoredResponse fallback) {
    Instant wall = context.time().wall();
    if (fallback == null || Reuse.onFailure(fallback, 0, wall).isEmpty()) {
      return deadline;
    }
    Duration share = deadline.remaining(context.time().now()).dividedBy(RESERVE_SHARE);
    Duration reserve = share.compareTo(RESERVE_MAX) < 0 ? share : RESERVE_MAX;
    return new Deadline(deadline.at().minus(reserve));
  }

  private static CacheStatus collapsed(ForwardReason why) {
    return CacheStatus.forwarded(why).collapsed();
  }

  private Optional<Answer> confirmed(
      CacheRequest request, StoredResponse one, CacheStatus status, Instant now)
      throws IOException {
    long age = one.freshness().age(one.responseTime(), now).toSeconds();
    return stored.of(request, one, status.stored(), age, now, StoredAnswer.Haste.BLOCKING);
  }

  /** The answer to the request that the upstream was asked with. */
  private Optional<Answer> own(
      CacheRequest request,
      Fill fill,
      Fill.Outcome.Answered answered,
      CacheStatus status,
      @Nullable StoredResponse fallback,
      Instant now)
      throws IOException {
    if (answered.status() >= 500 && fallback != null) {
      Optional<CacheDecision.Stale> stale = Reuse.onFailure(fallback, answered.status(), now);
      if (stale.isPresent()) {
        fill.leave();
        return stale(request, stale.get(), now);
      }
    }
    CacheStatus full = status.status(answered.status());
    full = answered.keeping().isPresent() ? full.stored() : full.detail(answered.clause());
    return FillAnswer.of(request, answered, fill.ownReader(), full, now);
  }

  /** The answer to others who asked for the same meanwhile, if it may be theirs too. */
  private Optional<Answer> shared(
      Exchange exchange,
      CacheRequest request,
      Fill fill,
      Fill.Outcome.Answered answered,
      CacheStatus status,
      Instant now)
      throws InterruptedException {
    Optional<StoredResponse> keeping = answered.keeping();
    boolean usable =
        keeping.isPresent()
            && Reuse.decide(request, List.of(keeping.get()), now) instanceof CacheDecision.Hit;
    if (usable) {
      FillBytes bytes = answered.bytes();
      return FillAnswer.of(
          request,
          answered.under(keeping.get().headers()), // without what was for the first one alone
          bytes == null ? null : bytes.open(),
          status.status(answered.status()),
          now);
    }
    // A part is served from the store once it is there; what is not kept at all is asked for anew.
    if (answered.status() == 206) {
      fill.awaitOver(exchange.deadline());
    }
    return Optional.empty();
  }

  private Answer staleOr(
      CacheRequest request, @Nullable StoredResponse fallback, int status, EdgeFault fault)
      throws IOException {
    Instant now = context.time().wall();
    if (fallback != null) {
      Optional<Answer> answer = Optional.empty();
      Optional<CacheDecision.Stale> stale = Reuse.onFailure(fallback, status, now);
      if (stale.isPresent()) {
        answer = stale(request, stale.get(), now);
      }
      if (answer.isPresent()) {
        return answer.get();
      }
    }
    return Answer.problem(fault);
  }

  private Optional<Answer> stale(CacheRequest request, CacheDecision.Stale stale, Instant now)
      throws IOException {
    return served(request, stale.stored(), CacheStatus.stale(stale), stale.ageSeconds(), now);
  }
}
