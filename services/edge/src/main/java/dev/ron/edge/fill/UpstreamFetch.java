package dev.ron.edge.fill;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ron.edge.EdgeConfig;
import dev.ron.edge.EdgeFault;
import dev.ron.edge.core.CacheKey;
import dev.ron.edge.core.RequestFields;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.client.ClientFault;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.Origin;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.retry.Backoff;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Asks an upstream, again if it timed out or was busy.
 *
 * <p>A 503 or 504 that says how long it holds is an answer, not an accident, and is taken as such.
 *
 * <p>Threading: immutable.
 */
public final class UpstreamFetch {
  /** Things of which it is remembered by what their upstream chooses an answer. */
  private static final int CHOSEN_BY_MAX = 16_384;

  private static final String OP = "live_fill";

  private final Scope scope;
  private final Watch<EdgeConfig> settings;
  private final UpstreamClients upstreams;
  private final Watch<Boolean> shutdown;
  private final Cache<CacheKey, Set<String>> chosenBy =
      Caffeine.newBuilder().maximumSize(CHOSEN_BY_MAX).executor(Runnable::run).build();

  public UpstreamFetch(
      Scope scope, Watch<EdgeConfig> settings, UpstreamClients upstreams, Watch<Boolean> shutdown) {
    this.scope = scope;
    this.settings = settings;
    this.upstreams = upstreams;
    this.shutdown = shutdown;
  }

  /**
   * Asks without the fields by which an upstream may choose an answer, until it has said that it
   * does; then again with them. So nothing of a client reaches an upstream that does not also
   * decide who else gets the answer.
   *
   * @param conditions what the question has besides the client's own fields
   * @throws Refusal with what went wrong
   */
  UpstreamAnswer ask(Fill fill, Headers conditions) throws IOException, InterruptedException {
    CacheKey key = fill.request().key();
    Set<String> known = Objects.requireNonNullElse(chosenBy.getIfPresent(key), Set.of());
    UpstreamAnswer reply = ask(fill, request(fill, conditions, known));
    Set<String> named = RequestFields.negotiated(reply.headers());
    if (known.containsAll(named)) {
      return reply;
    }
    var all = new HashSet<>(known);
    all.addAll(named);
    chosenBy.put(key, Set.copyOf(all));
    named.removeAll(known);
    if (named.stream().noneMatch(fill.request().headers()::has)) {
      return reply;
    }
    reply.close();
    return ask(fill, request(fill, conditions, all));
  }

  private UpstreamAnswer ask(Fill fill, ClientRequest request)
      throws IOException, InterruptedException {
    EdgeConfig.Fill config = settings.value().fill(); // one for all tries
    for (int n = 0; ; n++) {
      Instant asked = scope.time().wall();
      try {
        ClientAnswer answer =
            upstreams
                .of(fill.mount())
                .send(request, Deadline.NEVER, config.timeout(), fill.interims());
        if (isLast(n, config) || !passing(answer)) {
          return new UpstreamAnswer(answer, asked, scope.time().wall(), length(answer));
        }
        answer.close();
      } catch (Refusal refused) {
        boolean silent = refused.fault() instanceof KernelFault.Timeout;
        if (silent) {
          scope.counters().ioTimeouts().labelValues("fill").inc();
        }
        // A dial that timed out is counted where it was dialled.
        if (isLast(n, config)
            || !(silent || refused.fault() instanceof ClientFault.ConnectTimeout)) {
          throw silent ? Refusal.of(fault(refused)) : refused;
        }
      }
      rest(n, config.backoff());
    }
  }

  /** An edge that shuts down asks nothing again. */
  private boolean isLast(int n, EdgeConfig.Fill config) {
    return n + 1 >= config.tries() || shutdown.value();
  }

  private void rest(int n, Backoff backoff) throws IOException, InterruptedException {
    Instant next = scope.time().now().plus(backoff.delay(n, scope.chance()));
    if (!next.isBefore(Deadline.current().at())) {
      throw Refusal.of(new EdgeFault.UpstreamTimeout("no time is left for another try"));
    }
    scope.counters().backoffRetries().labelValues(OP).inc();
    scope.time().sleepUntil(next);
  }

  private static boolean passing(ClientAnswer answer) {
    return (answer.status() == 503 || answer.status() == 504)
        && !answer.headers().has("Cache-Control")
        && !answer.headers().has("CDN-Cache-Control")
        && !answer.headers().has("Expires")
        && !answer.headers().has("Retry-After");
  }

  private static ClientRequest request(Fill fill, Headers conditions, Set<String> chosenBy) {
    Headers headers = fill.mount().fields().toward(fill.request().headers(), chosenBy);
    headers.addAll(conditions);
    headers.add("Via", "1.1 ron-edge");
    return new ClientRequest(
        fill.request().method(),
        Origin.of(fill.mount().upstream()),
        fill.request().key().target(),
        headers,
        0,
        new byte[0]);
  }

  private static long length(ClientAnswer answer) throws Refusal {
    String text = answer.headers().first("Content-Length");
    if (text == null) {
      return -1;
    }
    if (!text.matches("[0-9]{1,18}")) {
      throw Refusal.of(new EdgeFault.Upstream("a length that is no number"));
    }
    return Long.parseLong(text);
  }

  /** What a failed call means to the requests that wait for its answer. */
  public static EdgeFault fault(IOException failed) {
    if (!(failed instanceof Refusal refusal)) {
      return new EdgeFault.Upstream("the answer could not be read to its end");
    }
    return switch (refusal.fault()) {
      case EdgeFault own -> own;
      case KernelFault.Timeout timeout -> new EdgeFault.UpstreamTimeout(timeout.detail());
      case ClientFault.ConnectTimeout timeout -> new EdgeFault.UpstreamTimeout(timeout.detail());
      case ClientFault.ForbiddenAddress forbidden -> new EdgeFault.NotAllowed(forbidden.detail());
      default -> new EdgeFault.Upstream(refusal.fault().detail());
    };
  }
}
