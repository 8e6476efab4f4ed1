package dev.ron.http.server.exchange;

import dev.ron.http.Headers;
import dev.ron.http.field.TraceParent;
import dev.ron.kernel.trace.Span;
import dev.ron.kernel.trace.TraceContext;
import dev.ron.kernel.trace.Tracer;
import org.jspecify.annotations.Nullable;

/**
 * The place of one exchange in its trace.
 *
 * @param callers the caller's {@code traceparent} as it came; null if there was none
 */
record ExchangeTrace(Span span, @Nullable String callers) {
  static ExchangeTrace begin(Tracer tracer, Headers headers) {
    String callers = headers.first("traceparent");
    Span span = tracer.isOn() ? tracer.server(TraceParent.context(callers)) : Span.NONE;
    return new ExchangeTrace(span, callers);
  }

  /** What is passed on: of the door's own span, or as it came. */
  @Nullable String traceparent() {
    TraceContext own = span.context();
    return own == null ? callers : TraceParent.of(own).toString();
  }
}
