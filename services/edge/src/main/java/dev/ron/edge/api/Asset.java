package dev.ron.edge.api;

import dev.ron.edge.Mount;
import dev.ron.edge.core.CacheDecision;
import dev.ron.edge.core.CacheKey;
import dev.ron.edge.core.CacheRequest;
import dev.ron.edge.core.CacheStatus;
import dev.ron.edge.core.RequestFields;
import dev.ron.edge.core.Reuse;
import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.Inline;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.wire.NormalPath;
import dev.ron.kernel.metric.Meter;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An asset of a mount: from the store at once if it may be, otherwise by way of {@link CacheMiss}
 * or, for methods that a cache does not serve, {@link PassThrough}.
 *
 * <p>Threading: immutable; its handler runs on event loops.
 */
final class Asset {
  private final EdgeContext context;
  private final Mount mount;
  private final String root;
  private final String origin;
  private final RequestFields fields;
  private final StoredAnswer stored;
  private final CacheMiss miss;
  private final PassThrough passThrough;

  Asset(EdgeContext context, Mount mount, String root) {
    this.context = context;
    this.mount = mount;
    this.root = root;
    this.origin = mount.origin();
    this.fields = mount.fields();
    this.stored = new StoredAnswer(context.cache(), context.config().httpMultiRange());
    this.miss = new CacheMiss(context, mount, stored);
    this.passThrough = new PassThrough(context, mount);
  }

  Inline handler() {
    return this::handle;
  }

  private void handle(Exchange exchange) throws IOException {
    Refusal refusal = refusal(exchange);
    if (refusal != null) {
      exchange.answer(Answer.problem(refusal));
      return;
    }
    CacheKey key = key(exchange);
    if (!exchange.method().equals("GET") && !exchange.method().equals("HEAD")) {
      exchange.block(same -> passThrough.answer(same, key));
      return;
    }
    CacheRequest request = CacheRequest.of(exchange.method(), key, seen(exchange.headers()));
    Optional<Answer> hit = hit(request);
    if (hit.isPresent()) {
      exchange.payer().charge(Meter.Unit.CACHE_HITS, 1);
      exchange.answer(hit.get());
    } else {
      exchange.block(same -> miss.answer(same, key));
    }
  }

  /** A cookie that the upstream does not see says nothing about the answer. */
  private Headers seen(Headers client) {
    return fields.hasCookies() || !client.has("Cookie") ? client : client.copy().remove("Cookie");
  }

  /** An answer that is given without waiting. */
  private Optional<Answer> hit(CacheRequest request) throws IOException {
    Instant now = context.time().wall();
    if (!(Reuse.decide(request, context.cache().find(request.key()), now)
        instanceof CacheDecision.Hit(var one, long age, long ttl, _))) {
      return Optional.empty();
    }
    Optional<Answer> answer =
        stored.of(request, one, CacheStatus.hit(ttl), age, now, StoredAnswer.Haste.INLINE);
    return answer.map(context.metrics()::hit);
  }

  private @Nullable Refusal refusal(Exchange exchange) {
    if (!context.rights().reaches(exchange, mount.tenant())) {
      return Refusal.of(new HttpFault.NotFound("nothing is served at this path"));
    }
    if (!mount.methods().contains(exchange.method())) {
      return Refusal.of(
          new HttpFault.MethodNotAllowed(String.join(", ", new TreeSet<>(mount.methods()))));
    }
    try {
      NormalPath.requireOneReading(exchange.path());
    } catch (Refusal ambiguous) {
      return ambiguous; // the upstream could read it as a path outside the mount
    }
    return context.rights().upstreamRefusal(exchange);
  }

  /** Without the capability, which says who asks and not what for. */
  private CacheKey key(Exchange exchange) {
    String query = EdgeRights.without(exchange.head().query());
    return new CacheKey(origin, mount.target(root, exchange.path(), query));
  }
}
