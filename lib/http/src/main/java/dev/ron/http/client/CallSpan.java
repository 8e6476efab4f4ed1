package dev.ron.http.client;

import dev.ron.http.Refusal;
import dev.ron.kernel.trace.Span;

/**
 * What a trace tells of a call to another server: whom, by which method, and how it ended.
 *
 * <p>Threading: stateless.
 */
public final class CallSpan {
  private static final int FAILED = 500;

  private CallSpan() {}

  /** Begins a call for a request; the request's own span where that is not recorded. */
  public static Span of(Span request, String method, Origin origin) {
    return request.isRecorded()
        ? request
            .child("call " + method, Span.Kind.CLIENT)
            .with("http.request.method", method)
            .with("server.address", origin.host())
            .with("server.port", origin.port())
        : request;
  }

  /** The head of the answer is there. */
  public static void head(Span call, int status) {
    call.with("http.response.status_code", status);
  }

  /** The answer came to its end, or its reader needs no more of it. */
  public static void end(Span call, int status) {
    if (status >= FAILED) {
      call.fail(Integer.toString(status));
    } else {
      call.end();
    }
  }

  public static void fail(Span call, Refusal refusal) {
    call.fail(refusal.fault().code());
  }
}
