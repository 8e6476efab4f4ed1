package dev.ron.http.server;

import dev.ron.http.HttpFault;
import dev.ron.http.wire.HeadParser;
import dev.ron.kernel.Scope;
import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * What all connections of one server share.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
record ServerContext(
    HttpServerConfig config,
    Scope scope,
    RouteTable routes,
    HeadParser parser,
    Dispatch dispatch,
    Inflight inflight,
    SecurityHeaders securityHeaders,
    SecurityHeaders relayedHeaders) {
  Time time() {
    return scope.time();
  }

  RandomGenerator random() {
    return scope.random();
  }

  /** One code, one metric label; busy ones also count for the bound they ran into. */
  void rejected(Fault fault, BoundRoute route) {
    scope.counters().rejected().labelValues(fault.code()).inc();
    config.refusals().accept(fault);
    if (fault instanceof KernelFault.Busy || fault instanceof HttpFault.Quota) {
      scope.counters().busyRejections().labelValues(route.route().op()).inc();
    }
  }

  void finished(Exchange exchange, int status, Duration took) {
    exchange.boundRoute().left(exchange.method(), status, took);
    inflight.left();
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

  /** What nobody expected; the caller only learns the correlation id. */
  void bug(Exchange exchange, Throwable bug) {
    StackTraceElement[] stack = bug.getStackTrace();
    scope
        .log()
        .error(
            "handler-failed",
            "corr_id",
            exchange.corrId(),
            "op",
            exchange.route().op(),
            "bug",
            bug.toString(),
            "at",
            stack.length == 0 ? "unknown" : stack[0]);
  }
}
