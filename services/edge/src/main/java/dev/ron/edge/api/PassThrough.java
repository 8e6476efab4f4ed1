package dev.ron.edge.api;

import dev.ron.edge.EdgeConfig;
import dev.ron.edge.EdgeEvent;
import dev.ron.edge.EdgeFault;
import dev.ron.edge.Mount;
import dev.ron.edge.core.CacheKey;
import dev.ron.edge.core.CacheStatus;
import dev.ron.edge.core.ForwardReason;
import dev.ron.edge.core.HopByHop;
import dev.ron.edge.core.Invalidation;
import dev.ron.edge.fill.UpstreamFetch;
import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.Origin;
import dev.ron.http.field.ProxyFields;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.BodySink;
import dev.ron.http.server.exchange.Exchange;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A request whose method is not the cache's to answer: passed on, and what it changes is forgotten
 * before any client hears that it was changed.
 *
 * <p>It is asked once: the edge cannot know whether it may be repeated.
 *
 * <p>Threading: immutable; runs on the request's virtual thread.
 */
final class PassThrough {
  private static final int STEP_BYTES = 64 << 10;

  private final EdgeContext context;
  private final Mount mount;

  PassThrough(EdgeContext context, Mount mount) {
    this.context = context;
    this.mount = mount;
  }

  Answer answer(Exchange exchange, CacheKey key) throws InterruptedException {
    if (context.config().mode() == EdgeConfig.Mode.OFFLINE) {
      return Answer.problem(new EdgeFault.Offline("the edge is offline and asks nobody"));
    }
    try {
      ClientAnswer answer = send(exchange, key);
      invalidate(exchange.method(), key, answer);
      return relayed(exchange, answer);
    } catch (Refusal refused) {
      // The client's own body could not be read, which is not the upstream's failure.
      return refused.fault() instanceof HttpFault
          ? Answer.problem(refused)
          : Answer.problem(UpstreamFetch.fault(refused));
    } catch (IOException failed) {
      return Answer.problem(new EdgeFault.Upstream("the request could not be passed on"));
    }
  }

  private ClientAnswer send(Exchange exchange, CacheKey key)
      throws IOException, InterruptedException {
    Headers headers = mount.fields().passedThrough(context.rights().onward(exchange));
    headers.set("X-Corr-ID", exchange.corrId()).add("Via", "1.1 ron-edge");
    Origin origin = Origin.of(mount.upstream());
    HttpClient client = context.upstreams().of(mount);
    long length = exchange.head().bodyLength();
    var request =
        new ClientRequest(exchange.method(), origin, key.target(), headers, length, new byte[0]);
    Duration stall = context.config().fill().timeout();
    return length == 0
        ? client.send(request, exchange.deadline(), stall, new InterimAnswers(exchange)::passOn)
        : client.send(request, exchange.body().stream(), exchange.deadline(), stall);
  }

  private void invalidate(String method, CacheKey key, ClientAnswer answer)
      throws InterruptedException {
    List<CacheKey> keys = Invalidation.of(method, key, answer.status(), answer.headers());
    if (!keys.isEmpty()) {
      boolean filling = context.fills().spoil(keys);
      int dropped = context.cache().clear(keys, filling);
      if (dropped > 0) {
        context.events().publish(new EdgeEvent.Invalidated(key.toString(), dropped));
      }
    }
  }

  private static Answer relayed(Exchange exchange, ClientAnswer answer) {
    String length = answer.headers().first("Content-Length");
    Headers head = HopByHop.without(answer.headers());
    CacheStatus.forwarded(ForwardReason.METHOD).status(answer.status()).on(head);
    boolean known = length != null && length.matches("[0-9]{1,18}");
    boolean bodyless = answer.status() == 204 || answer.status() == 304;
    if (bodyless || "0".equals(length) || exchange.method().equals("HEAD")) {
      answer.close();
      return new Answer(answer.status(), head, Answer.empty(answer.status()).body());
    }
    return Answer.stream(
        answer.status(), head, known ? Long.parseLong(length) : -1, sink -> copy(answer, sink));
  }

  private static Headers copy(ClientAnswer answer, BodySink sink) throws IOException {
    try (answer) {
      var step = new byte[STEP_BYTES];
      for (int read = answer.read(step); read >= 0; read = answer.read(step)) {
        sink.write(step, 0, read);
      }
      Headers trailers = answer.trailers();
      return trailers == null ? new Headers(1) : ProxyFields.trailers(trailers);
    }
  }
}
