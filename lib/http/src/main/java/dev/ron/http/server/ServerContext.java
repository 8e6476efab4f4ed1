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
