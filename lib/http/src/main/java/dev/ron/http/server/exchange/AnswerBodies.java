package dev.ron.http.server.exchange;

import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.Problem;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Sends the bodies that are not simply bytes.
 *
 * <p>Threading: on the exchange's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class AnswerBodies {
  private static final int STEP_BYTES = 64 * 1024;

  private AnswerBodies() {}

  /**
   * A problem in the door's format, with all that the server adds. A format that fails is a bug,
   * and the peer gets the plain problem, because without an answer it would wait for its timeout.
   */
  static Answer refused(Exchange exchange, Headers given, Problem problem) {
    Answer written;
    try {
      written = exchange.server().config().dialect().faults().answer(problem, exchange.head());
      if (!(written.body() instanceof Body.Bytes)) {
        throw new IllegalStateException("a fault whose answer is not bytes");
      }
    } catch (RuntimeException bug) {
      exchange.server().bug(exchange, bug);
      written = FaultFormat.PROBLEM.answer(problem, exchange.head());
    }
    Headers headers = given.copy().addAll(written.headers());
    if (problem.fault().retryAfter().isPresent() && !headers.has("Retry-After")) {
      long seconds = Problem.retryAfterSeconds(problem.fault().retryAfter().get());
      headers.add("Retry-After", Long.toString(seconds));
    }
    if (problem.fault() instanceof HttpFault.MethodNotAllowed(String allowed)
        && !headers.has("Allow")) {
      headers.add("Allow", allowed);
    }
    return new Answer(written.status(), headers, written.body());
  }

  /** The length of a body that is not sent; where one would have to follow, that is a bug. */
  static void unsent(Exchange exchange, Answer answer, Body.Unsent unsent) {
    if (exchange.method().equals("HEAD") || answer.status() == 304) {
      exchange.sendHead(answer.status(), answer.headers(), unsent.length());
      exchange.endAnswer(null);
      return;
    }
    var bug = new IllegalStateException("an answer without its body to " + exchange.method());
    exchange.server().bug(exchange, bug);
    exchange.answer(Answer.problem(new HttpFault.Internal()));
  }

  /** Hands a file to the system, or reads it on a virtual thread where bytes must be wrapped. */
  static void region(Exchange exchange, ExchangeWire wire, Answer answer, Body.Region region) {
    if (exchange.method().equals("HEAD") || region.length() == 0) {
      region.letGo();
      exchange.sendHead(answer.status(), answer.headers(), region.length());
      exchange.endAnswer(null);
    } else if (wire.sendsFiles()) {
      exchange.sendFile(answer.status(), answer.headers(), region);
      exchange.endAnswer(null);
    } else {
      new BlockingCall(exchange, () -> answer).start();
    }
  }

  /** A file as a stream, where the system cannot send it by itself. */
  static Answer wrapped(ExchangeWire wire, Answer answer) {
    if (!(answer.body() instanceof Body.Region region) || wire.sendsFiles()) {
      return answer;
    }
    var streamed = new Body.Stream(region.length(), sink -> copy(region, sink));
    return new Answer(answer.status(), answer.headers(), streamed);
  }

  /** Only a virtual thread may run a writer; a blocking handler's is on one already. */
  static void stream(Exchange exchange, Answer answer) {
    new BlockingCall(exchange, () -> answer).start();
  }

  static void head(Exchange exchange, int status, Headers headers, Body.Stream stream) {
    if (exchange.answered() || exchange.ended()) {
      return;
    }
    exchange.sendHead(status, headers, stream.length());
    if (exchange.method().equals("HEAD")) {
      exchange.endAnswer(null);
    }
  }

  private static Headers copy(Body.Region region, BodySink sink) throws IOException {
    try {
      var step = new byte[STEP_BYTES];
      long at = region.offset();
      long end = at + region.length();
      while (at < end) {
        var into = ByteBuffer.wrap(step, 0, (int) Math.min(step.length, end - at));
        int read = region.file().read(into, at);
        if (read < 0) {
          throw new EOFException("the file is shorter than its region");
        }
        sink.write(step, 0, read);
        at += read;
      }
      return new Headers(1);
    } finally {
      region.letGo();
    }
  }
}
