package dev.ron.http.server;

import dev.ron.http.Problem;
import dev.ron.http.server.dispatch.Dispatch;
import dev.ron.http.server.dispatch.Inflight;
import dev.ron.http.server.exchange.DoorPlaces;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.exchange.SecurityHeaders;
import dev.ron.http.server.route.BoundRoute;
import dev.ron.http.server.route.RouteTable;
import dev.ron.http.wire.HeadParser;
import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.tenant.TenantBudgets;
import dev.ron.kernel.tenant.TenantTurns;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.util.Set;
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
    TenantBudgets tenants,
    DoorPlaces places,
    TenantTurns turns,
    SecurityHeaders securityHeaders,
    SecurityHeaders relayedHeaders) {
  private static final int REFUSED = 400;

  /** Over a rate, and over a stock. */
  private static final Set<Integer> LIMITS = Set.of(429, 507);

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

  /** The answer is out, or its peer is gone; its thread may still have something to put away. */
  public void over(Exchange exchange, int status) {
    if (exchange.span().isRecorded()) {
      RequestSpan.end(exchange, status);
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
   * Charges for what the peer was given: of an answer that was cut only the bytes that went out,
   * and nothing for a refusal; one because of a limit is counted, for the tenant to see.
   */
  private static void charge(Exchange exchange, int status) {
    Payer payer = exchange.payer();
    if (status >= REFUSED) {
      payer.charge(Meter.Unit.REFUSALS, LIMITS.contains(status) ? 1 : 0);
      return;
    }
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
