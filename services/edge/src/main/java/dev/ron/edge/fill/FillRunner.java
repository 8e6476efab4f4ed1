package dev.ron.edge.fill;

import dev.ron.edge.EdgeConfig;
import dev.ron.edge.EdgeEvent;
import dev.ron.edge.EdgeFault;
import dev.ron.edge.EdgeMetrics;
import dev.ron.edge.cache.LiveCache;
import dev.ron.edge.core.CacheRequest;
import dev.ron.edge.core.Cacheability;
import dev.ron.edge.core.HopByHop;
import dev.ron.edge.core.RequestFields;
import dev.ron.edge.core.StoredRange;
import dev.ron.edge.core.StoredRanges;
import dev.ron.edge.core.StoredResponse;
import dev.ron.edge.core.Validation;
import dev.ron.edge.core.VaryFields;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.field.ByteRange;
import dev.ron.http.field.ContentRange;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Does one fill: asks, judges the head, passes the bytes on as they come, and stores them.
 *
 * <p>Threading: immutable; used by all workers.
 */
public final class FillRunner {
  private final Scope scope;
  private final EdgeConfig config;
  private final LiveCache cache;
  private final SingleFlight fills;
  private final UpstreamFetch asking;
  private final FillWriter stowing;
  private final EdgeMetrics metrics;
  private final Broadcast<EdgeEvent> events;

  public FillRunner(
      Scope scope,
      EdgeConfig config,
      LiveCache cache,
      SingleFlight fills,
      UpstreamFetch asking,
      FillWriter stowing,
      EdgeMetrics metrics,
      Broadcast<EdgeEvent> events) {
    this.scope = scope;
    this.config = config;
    this.cache = cache;
    this.fills = fills;
    this.asking = asking;
    this.stowing = stowing;
    this.metrics = metrics;
    this.events = events;
  }

  /** A fill works for requests: when the last of them has ended in a drain, so does it. */
  void run(Fill fill) throws InterruptedException {
    Instant begun = scope.time().now();
    String key = fill.request().key().toString();
    try (var _ = scope.requestsOver().subscribe(Thread.currentThread()::interrupt)) {
      Deadline.in(config.fill().limit(), scope.time())
          .call(
              () ->
                  fill.span()
                      .call(
                          () -> {
                            fill(fill);
                            return fill;
                          }));
    } catch (InterruptedException stop) {
      fill.settle(new Fill.Outcome.Failed(new EdgeFault.Unavailable("the edge is shutting down")));
      if (!scope.requestsOver().given()) {
        throw stop;
      }
    } catch (IOException failed) {
      if (failed instanceof Refusal refused && refused.fault() instanceof KernelFault.Timeout) {
        scope
            .counters()
            .ioTimeouts()
            .labelValues("fill")
            .inc(); // one for the head is counted there
      }
      EdgeFault fault = UpstreamFetch.fault(failed);
      fill.settle(new Fill.Outcome.Failed(fault));
      events.publish(new EdgeEvent.FillFailed(key, fault.code()));
    } catch (RuntimeException bug) {
      fill.settle(new Fill.Outcome.Failed(new EdgeFault.Unavailable("the fill failed")));
      throw bug;
    } catch (Exception impossible) {
      throw new IllegalStateException("a fill throws what it does not declare", impossible);
    } finally {
      Duration took = Duration.between(begun, scope.time().now());
      metrics.fillSeconds().observe(took.toNanos() / 1e9);
      fills.leave(fill);
      if (scope.requestsOver().given()) {
        var _ = Thread.interrupted(); // it was meant for this fill; the worker drains in order
      }
    }
  }

  private void fill(Fill fill) throws IOException, InterruptedException {
    switch (fill.ask()) {
      case Fill.Ask.Plain _ -> plain(fill);
      case Fill.Ask.Confirm(StoredResponse stored) -> confirm(fill, stored);
      case Fill.Ask.Missing(StoredResponse stored, ByteRange range) -> missing(fill, stored, range);
    }
  }

  private void plain(Fill fill) throws IOException, InterruptedException {
    Headers range = new Headers(2);
    String ranges = RequestFields.ranges(fill.request().headers());
    if (fill.request().hasRange() && !ranges.isEmpty()) {
      range.add("Range", ranges);
      fill.request().headers().all("If-Range").forEach(value -> range.add("If-Range", value));
    }
    try (UpstreamAnswer reply = asking.ask(fill, range)) {
      take(fill, reply);
    }
  }

  /** Takes an answer of the upstream's own. */
  private void take(Fill fill, UpstreamAnswer reply) throws IOException, InterruptedException {
    if (reply.status() == 304) {
      throw Refusal.of(new EdgeFault.EtagInvalid("a 304 to a request without conditions"));
    }
    if (fill.request().isHead()) {
      head(fill, reply);
    } else if (reply.status() == 206) {
      part(fill, reply);
    } else {
      whole(fill, reply);
    }
  }

  private void confirm(Fill fill, StoredResponse stored) throws IOException, InterruptedException {
    try (UpstreamAnswer reply = asking.ask(fill, Validation.conditions(stored))) {
      if (reply.status() != 304) {
        take(fill, reply);
        if (reply.status() < 500) {
          cache.forget(stored); // replaced, or by what may not be kept
        }
        return;
      }
      if (Validation.confirms(stored, reply.headers())) {
        StoredResponse fresh =
            Validation.freshened(stored, reply.headers(), reply.asked(), reply.came());
        // Not storing it costs the next request a question, nothing more.
        boolean kept =
            Cacheability.decide(
                        fill.request(),
                        fresh.status(),
                        fresh.headers(),
                        reply.asked(),
                        reply.came())
                    instanceof Cacheability.Verdict.Keep
                && cache.keep(fresh, fill.tenant(), fill::wanted);
        if (!kept) {
          cache.forget(stored);
        }
        fill.settle(new Fill.Outcome.Confirmed(fresh, 304));
        return;
      }
    }
    // It speaks of something else than what is stored: that is asked for.
    cache.forget(stored);
    plain(fill);
  }

  private void missing(Fill fill, StoredResponse stored, ByteRange range)
      throws IOException, InterruptedException {
    if (!cache.fits(stored, fill.tenant(), stored.bytes() + range.bytes())) {
      askAnew(fill, stored);
      return;
    }
    var ask = new Headers(2);
    boolean toEnd = range.last() == stored.pieces().total() - 1;
    ask.add("Range", "bytes=" + range.first() + "-" + (toEnd ? "" : range.last()));
    stored.tag().ifPresent(tag -> ask.add("If-Range", tag.toString()));
    try (UpstreamAnswer reply = asking.ask(fill, ask)) {
      if (reply.status() == 206 && fits(stored, range, reply)) {
        complete(fill, stored, range, reply);
        return;
      }
      if (reply.status() == 200) {
        take(fill, reply);
        return;
      }
    }
    // The thing has changed, or the upstream does not do ranges after all.
    askAnew(fill, stored);
  }

  private void askAnew(Fill fill, StoredResponse stored) throws IOException, InterruptedException {
    cache.forget(stored);
    try (UpstreamAnswer reply = asking.ask(fill, new Headers(1))) {
      take(fill, reply);
    }
  }

  private static boolean fits(StoredResponse stored, ByteRange range, UpstreamAnswer reply) {
    boolean sameTag =
        reply.tag().isPresent()
            && stored.tag().filter(reply.tag().get()::matchesStrongly).isPresent();
    return sameTag
        && reply.part().isPresent()
        && reply.part().get().range().equals(range)
        && reply.part().get().bytesTotal().orElse(-1) == stored.pieces().total();
  }

  /** Stores what was missing; requests that wait are served from the store. */
  private void complete(Fill fill, StoredResponse stored, ByteRange range, UpstreamAnswer reply)
      throws IOException, InterruptedException {
    Optional<StoredRange> piece = stowing.piece(reply, range, new DiscardedBytes());
    Optional<StoredRanges> pieces = piece.flatMap(stored.pieces()::with);
    if (pieces.isEmpty()) {
      throw Refusal.of(new EdgeFault.Unavailable("the store took no more of the answer"));
    }
    StoredResponse whole =
        Validation.freshened(
            stored.with(pieces.get()), reply.headers(), reply.asked(), reply.came());
    if (fill.wanted() && !cache.keep(whole, fill.tenant(), fill::wanted)) {
      throw Refusal.of(new EdgeFault.Unavailable("the store took no more of the answer"));
    }
    fill.settle(new Fill.Outcome.Confirmed(whole, 206));
  }

  private void head(Fill fill, UpstreamAnswer reply) throws InterruptedException {
    Headers asked = fill.request().headers();
    boolean shareable =
        !fill.request().isPersonal()
            && !asked.has("Authorization")
            && !Cacheability.isConditional(fill.request(), reply.status());
    for (StoredResponse stored : cache.find(fill.request().key())) {
      if (!shareable || !stored.selecting().match(asked)) {
        continue;
      }
      if (Validation.headConfirms(stored, reply.status(), reply.headers())) {
        var _ =
            cache.keep(
                Validation.freshened(stored, reply.headers(), reply.asked(), reply.came()),
                fill.tenant(),
                fill::wanted);
      } else if (reply.status() == 200) {
        cache.forget(stored);
      }
    }
    fill.settle(
        new Fill.Outcome.Answered(
            reply.status(),
            onward(reply.headers()),
            reply.length(),
            null,
            Optional.empty(),
            "3: the method is not GET"));
  }

  private void whole(Fill fill, UpstreamAnswer reply) throws IOException, InterruptedException {
    CacheRequest request = fill.request();
    Cacheability.Verdict verdict = verdict(fill, reply);
    boolean keep = verdict instanceof Cacheability.Verdict.Keep;
    boolean empty = reply.status() == 204 || reply.status() == 205 || reply.length() == 0;
    StoredResponse keeping = keeping(fill, reply, reply.status());
    FillBytes bytes = empty ? null : keep ? stowing.spool() : new FillPipe(scope.time());
    fill.settle(
        new Fill.Outcome.Answered(
            reply.status(),
            onward(reply.headers()),
            empty ? 0 : reply.length(),
            bytes,
            keep ? Optional.of(keeping) : Optional.empty(),
            verdict.clause()));
    boolean stored = false;
    long length = 0;
    if (bytes == null) {
      stored = keep && cache.keep(keeping, fill.tenant(), fill::wanted);
    } else if (keep) {
      Optional<StoredRanges> pieces = stowing.whole(reply, bytes);
      length = pieces.map(StoredRanges::total).orElse(0L);
      stored =
          pieces.isPresent() && cache.keep(keeping.with(pieces.get()), fill.tenant(), fill::wanted);
    } else {
      length = stowing.pass(reply, bytes);
    }
    fill.payer().charge(Meter.Unit.FILL_BYTES, length);
    events.publish(new EdgeEvent.Filled(request.key().toString(), reply.status(), length, stored));
  }

  /** A range, as the client asked for it: passed on, and kept as a part. */
  private void part(Fill fill, UpstreamAnswer reply) throws IOException, InterruptedException {
    Cacheability.Verdict verdict = verdict(fill, reply);
    Optional<ContentRange.Part> part = reply.part().filter(range -> range.bytesTotal().isPresent());
    if (reply.part().isPresent()
        && reply.length() >= 0
        && reply.length() != reply.part().get().range().bytes()) {
      throw Refusal.of(new EdgeFault.Upstream("a range of another length than its body"));
    }
    boolean keep = verdict instanceof Cacheability.Verdict.Keep && part.isPresent();
    FillBytes bytes = keep ? stowing.spool() : new FillPipe(scope.time());
    Headers head = onward(reply.headers());
    fill.settle(
        new Fill.Outcome.Answered(
            206, head, reply.length(), bytes, Optional.empty(), verdict.clause()));
    if (!keep) {
      fill.payer().charge(Meter.Unit.FILL_BYTES, stowing.pass(reply, bytes));
      return;
    }
    Optional<StoredRange> piece = stowing.piece(reply, part.get().range(), bytes);
    if (piece.isPresent()) {
      fill.payer().charge(Meter.Unit.FILL_BYTES, part.get().range().bytes());
      long total = part.get().bytesTotal().orElseThrow();
      var _ = cache.keep(combined(fill, reply, piece.get(), total), fill.tenant(), fill::wanted);
    }
  }

  /** With what is stored under the same strong validator, or alone. */
  private StoredResponse combined(Fill fill, UpstreamAnswer reply, StoredRange piece, long total) {
    StoredResponse alone = keeping(fill, reply, 200);
    for (StoredResponse stored : cache.find(fill.request().key())) {
      boolean same =
          stored.pieces().total() == total
              && stored.selecting().equals(alone.selecting())
              && alone.tag().isPresent()
              && stored.tag().filter(alone.tag().get()::matchesStrongly).isPresent();
      Optional<StoredRanges> both = same ? stored.pieces().with(piece) : Optional.empty();
      if (both.isPresent()) {
        return Validation.freshened(
            stored.with(both.get()), reply.headers(), reply.asked(), reply.came());
      }
    }
    return alone.with(new StoredRanges(List.of(piece), total));
  }

  private StoredResponse keeping(Fill fill, UpstreamAnswer reply, int status) {
    CacheRequest request = fill.request();
    return StoredResponse.of(
        cache.nextId(),
        request.key(),
        status,
        Cacheability.head(reply.status(), reply.headers(), reply.came()),
        reply.asked(),
        reply.came(),
        VaryFields.of(reply.headers(), request.headers(), fill.mount().fields().selecting()),
        StoredRanges.none());
  }

  private Cacheability.Verdict verdict(Fill fill, UpstreamAnswer reply) {
    if (reply.length() > config.cache().objectBytes().bytes()) {
      return new Cacheability.Verdict.Drop("longer than cache.object_bytes");
    }
    if (Cacheability.isConditional(fill.request(), reply.status())) {
      return new Cacheability.Verdict.Drop("4: an answer to one client's condition or range");
    }
    return Cacheability.decide(
        fill.request(), reply.status(), reply.headers(), reply.asked(), reply.came());
  }

  private static Headers onward(Headers head) {
    return HopByHop.without(head).remove("Content-Length");
  }

  /** Takes bytes that no request reads along. */
  private static final class DiscardedBytes implements FillBytes {
    @Override
    public void append(byte[] bytes, int offset, int length) {}

    @Override
    public void end() {}

    @Override
    public void fail(Refusal why) {}

    @Override
    public @Nullable Reader open() {
      return null;
    }

    @Override
    public void letGo() {}
  }
}
