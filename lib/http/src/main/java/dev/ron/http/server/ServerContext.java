package dev.ron.http.server;

import dev.ron.http.Problem;
import dev.ron.http.server.dispatch.Dispatch;
import dev.ron.http.server.dispatch.Inflight;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.exchange.SecurityHeaders;
import dev.ron.http.server.route.BoundRoute;
import dev.ron.http.server.route.RouteTable;
import dev.ron.http.wire.HeadParser;
import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * What all connections of one server share.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public record ServerContext(
    HttpServerConfig config,
    Scope scope,
    RouteTable routes,
    HeadParser parser,
    Dispatch dispatch,
    Inflight inflight,
    SecurityHeaders securityHeaders,
    SecurityHeaders relayedHeaders) {
  private static final int REFUSED = 400;

  public Time time() {
    return scope.time();
  }

  public RandomGenerator secrets() {
    return scope.secrets();
  }

  /** One code, one metric label; busy ones also count for the route that ran into a bound. */
  public void rejected(Problem problem, BoundRoute route) {
    scope.counters().rejected().labelValues(problem.fault().code()).inc();
    config.refusals().accept(problem.fault());
    if (problem.busy()) {
      scope.counters().busyRejections().labelValues(route.endpoint()).inc();
    }
  }

  public void finished(Exchange exchange, int status, Duration took) {
    exchange.boundRoute().left(exchange.method(), status, took);
    if (exchange.counted()) {
      charge(exchange, status);
      inflight.left();
    }
    if (config.accessLog()) {
      scope
          .log()
          .info(
              "request",
              "corr_id",
              exchange.corrId(),
              "method",
              exchange.method(),
              "path",
              exchange.path(),
              "status",
              status,
              "op",
              exchange.route().op(),
              "bytes_in",
              exchange.body().bytes(),
              "micros",
              took.toNanos() / 1000);
    }
  }

  /**
   * Charges for what the peer was given: nothing for a refusal, and of an answer that was cut only
   * the bytes that went out.
   */
  private static void charge(Exchange exchange, int status) {
    if (status >= REFUSED) {
      return;
    }
    Payer payer = exchange.payer();
    payer.charge(Meter.Unit.BYTES_OUT, exchange.sentBytes());
    if (exchange.isWhole()) {
      payer.charge(Meter.Unit.REQUESTS, 1);
      payer.charge(Meter.Unit.BYTES_IN, exchange.body().bytes());
    }
  }

  /**
   * An unexpected failure; the caller only learns the correlation id. The log gets classes and
   * places, no messages: an exception often quotes what it choked on, and that may be a token.
   */
  public void bug(Exchange exchange, Throwable bug) {
    scope
        .log()
        .error(
            "handler-failed",
            "corr_id",
            exchange.corrId(),
            "op",
            exchange.route().op(),
            "bug",
            BugTrace.classes(bug),
            "at",
            BugTrace.places(bug));
  }
}
