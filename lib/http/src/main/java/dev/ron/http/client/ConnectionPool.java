package dev.ron.http.client;

import dev.ron.http.Refusal;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop: idle ones of HTTP/1.1, shared ones of HTTP/2.
 *
 * <p>A pool for each loop means that a call never changes threads, and that no lock is needed.
 *
 * <p>Threading: owned by its event loop.
 */
final class ConnectionPool {
  private final EventLoop loop;
  private final HttpClientConfig config;
  private final Dialer dialer;
  private final Map<Origin, ArrayDeque<ClientHttp1>> idle = new HashMap<>();
  private final Map<Origin, ClientHttp2> shared = new HashMap<>();
  private final Map<Origin, Integer> open = new HashMap<>();
  private final RequestHeadWriter lines = new RequestHeadWriter();

  ConnectionPool(EventLoop loop, HttpClientConfig config, Dialer dialer) {
    this.loop = loop;
    this.config = config;
    this.dialer = dialer;
  }

  EventLoop loop() {
    return loop;
  }

  /** What the connections of this loop write their heads with. */
  RequestHeadWriter lines() {
    return lines;
  }

  /** Gives the call a connection: a shared one, an idle one, or a new one. */
  void take(ClientCall call) {
    Origin origin = call.request().origin();
    ClientHttp2 many = shared.get(origin);
    if (many != null && many.alive()) {
      many.begin(call);
      return;
    }
    ClientHttp1 one = idleOne(origin);
    if (one != null) {
      call.connected(one);
      return;
    }
    dial(call, origin);
  }

  private @Nullable ClientHttp1 idleOne(Origin origin) {
    ArrayDeque<ClientHttp1> waiting = idle.get(origin);
    // The one used last is the one the server has most likely kept open.
    ClientHttp1 last = waiting == null ? null : waiting.pollLast();
    while (waiting != null && last != null && !last.alive()) {
      last = waiting.pollLast();
    }
    return last;
  }

  private void dial(ClientCall call, Origin origin) {
    int count = open.getOrDefault(origin, 0);
    if (count >= config.connectionsPerOriginMax()) {
      call.fail(
          new ClientFault.Exhausted(origin.host(), config.connectionsPerOriginMax()).refusal());
      return;
    }
    open.merge(origin, 1, Integer::sum);
    dialer.dial(this, origin, call);
  }

  /** A call whose connection was stale goes to a new one, once. */
  void retry(ClientCall call) {
    call.retrying();
    dial(call, call.request().origin());
  }

  void dialled(ClientCall call, ClientHttp1 one) {
    if (call.over()) {
      free(one);
    } else {
      call.connected(one);
    }
  }

  void dialled(ClientCall call, Origin origin, ClientHttp2 many) {
    shared.put(origin, many);
    if (!call.over()) {
      many.begin(call);
    }
  }

  void notDialled(ClientCall call, Origin origin, Refusal why) {
    closed(origin);
    call.fail(why);
  }

  void free(ClientHttp1 one) {
    idle.computeIfAbsent(one.origin(), _ -> new ArrayDeque<>()).addLast(one);
  }

  void left(ClientHttp1 one) {
    ArrayDeque<ClientHttp1> waiting = idle.get(one.origin());
    if (waiting != null) {
      waiting.remove(one);
    }
    closed(one.origin());
  }

  void left(Origin origin, ClientHttp2 many) {
    shared.remove(origin, many);
    closed(origin);
  }

  private void closed(Origin origin) {
    open.computeIfPresent(origin, (_, count) -> count > 1 ? count - 1 : null);
  }
}
