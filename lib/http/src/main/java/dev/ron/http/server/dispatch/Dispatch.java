package dev.ron.http.server.dispatch;

import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.Cors;
import dev.ron.http.server.Inline;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.BlockingCall;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.RouteTable;
import dev.ron.kernel.fault.KernelFault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes an exchange from its head to its handler, through the layers in their order.
 *
 * <p>Threading: called on event loops.
 */
public final class Dispatch {
  private final RouteTable routes;
  private final List<Layer> layers;
  private final AccessCheck entrance;
  private final Cors cors;
  private final Inflight inflight;
  private final String service;

  public Dispatch(
      RouteTable routes,
      AccessCheck entrance,
      List<Layer> layers,
      Cors cors,
      Inflight inflight,
      String service) {
    this.routes = routes;
    this.entrance = entrance;
    this.layers = List.copyOf(layers);
    this.cors = cors;
    this.inflight = inflight;
    this.service = service;
  }

  public void handle(Exchange exchange) {
    Refusal refusal = routes.match(exchange);
    boolean operational = exchange.route().terms().operational();
    exchange.counted(!operational && inflight.entered());
    exchange.boundRoute().entered();
    Refusal misdirected = entrance.host(exchange);
    if (misdirected != null) {
      exchange.answer(Answer.problem(misdirected));
      return;
    }
    allowOrigin(exchange);
    if (!operational && !exchange.counted()) {
      exchange.answer(Answer.problem(new KernelFault.Draining(service)));
      return;
    }
    if (exchange.method().equals("OPTIONS") && refusal != null) {
      options(exchange);
      return;
    }
    if (refusal == null) {
      refusal = expectation(exchange);
    }
    if (refusal == null) {
      refusal = operational ? entrance.admit(exchange) : admit(exchange);
    }
    if (refusal != null) {
      exchange.answer(Answer.problem(refusal));
      return;
    }
    switch (exchange.route().handler()) {
      case Inline inline -> inline(exchange, inline);
      case Blocking blocking -> new BlockingCall(exchange, () -> blocking.handle(exchange)).start();
    }
  }

  /** Refuses a request whose head could not be read. */
  public void refuse(Exchange unread, Refusal refusal) {
    unread.counted(inflight.entered());
    unread.boundRoute().entered();
    unread.answer(Answer.problem(refusal));
  }

  private @Nullable Refusal admit(Exchange exchange) {
    for (Layer layer : layers) {
      Refusal refusal = layer.admit(exchange);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  private static @Nullable Refusal expectation(Exchange exchange) {
    String expect = exchange.headers().first("Expect");
    return expect == null
            || expect.equalsIgnoreCase("100-continue")
            || exchange.server().config().dialect().anyExpectation()
        ? null
        : Refusal.of(new HttpFault.ExpectationFailed());
  }

  private static void inline(Exchange exchange, Inline handler) {
    try {
      handler.handle(exchange);
    } catch (Refusal refused) {
      exchange.answer(Answer.problem(refused));
    } catch (Exception bug) {
      exchange.server().bug(exchange, bug);
      exchange.answer(Answer.problem(new HttpFault.Internal()));
    }
  }

  private void allowOrigin(Exchange exchange) {
    String origin = exchange.headers().first("Origin");
    if (origin != null && cors.allows(origin)) {
      exchange.extraHeaders(cors.answer(origin));
    }
  }

  /** What a path answers; for an allowed origin also the answer to its preflight. */
  private void options(Exchange exchange) {
    String methods = routes.methodsOf(exchange.path());
    if (methods.isEmpty() && !exchange.path().equals("*")) {
      exchange.answer(Answer.problem(new HttpFault.NotFound("nothing is served at this path")));
      return;
    }
    String origin = exchange.headers().first("Origin");
    Headers headers = new Headers(2).add("Allow", methods.isEmpty() ? "OPTIONS" : methods);
    if (origin != null
        && cors.allows(origin)
        && exchange.headers().has("Access-Control-Request-Method")) {
      exchange.extraHeaders(cors.preflight(origin, methods));
    }
    exchange.answer(new Answer(204, headers, Body.Bytes.NONE));
  }
}
