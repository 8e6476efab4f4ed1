package dev.ron.http.server;

import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.RouteTable;
import dev.ron.http.wire.RequestHead;
import dev.ron.kernel.trace.Span;

/**
 * What a trace tells of a request: its route, never its path, and how it ended.
 *
 * <p>Keys are those of OpenTelemetry's conventions for HTTP where these have one.
 *
 * <p>Threading: stateless.
 */
final class RequestSpan {
  private static final int OURS = 500;

  private RequestSpan() {}

  /** A request for health or metrics is asked every few seconds, and left out. */
  static void end(Exchange exchange, int status) {
    Span span = exchange.span();
    if (exchange.route().terms().operational()) {
      span.drop();
      return;
    }
    String method = RouteTable.methodLabel(exchange.method());
    span.named(method + ' ' + exchange.boundRoute().label())
        .with("http.request.method", method)
        .with("http.route", exchange.boundRoute().label())
        .with("http.response.status_code", status)
        .with("network.protocol.version", version(exchange.head()))
        .with("ron.op", exchange.route().op())
        .with("ron.tenant", exchange.payer().tenant())
        .with("ron.corr_id", exchange.corrId())
        .with("ron.bytes_in", exchange.body().bytes())
        .with("ron.bytes_out", exchange.sentBytes());
    if (status >= OURS) {
      span.fail(Integer.toString(status));
    } else {
      span.end();
    }
  }

  private static String version(RequestHead head) {
    return switch (head.protocol()) {
      case HTTP_1_0 -> "1.0";
      case HTTP_1_1 -> "1.1";
      case HTTP_2 -> "2";
    };
  }
}
