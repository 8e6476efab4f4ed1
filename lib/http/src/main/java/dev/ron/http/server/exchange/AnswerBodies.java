package dev.ron.http.server.exchange;

import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.Problem;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

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

  /** Hands files to the system, or reads them on a virtual thread where bytes must be wrapped. */
  static void regions(
      Exchange exchange, ExchangeWire wire, Answer answer, List<Body.Region> parts) {
    long length = Body.Regions.length(parts);
    if (exchange.method().equals("HEAD") || length == 0) {
      answer.abandon();
      exchange.sendHead(answer.status(), answer.headers(), length);
      exchange.endAnswer(null);
    } else if (wire.sendsFiles()) {
      exchange.sendFiles(answer.status(), answer.headers(), parts);
      exchange.endAnswer(null);
    } else {
      new BlockingCall(exchange, () -> answer).start();
    }
  }

  /**
   * Files as a stream, where the system cannot send them by itself. An answer to HEAD keeps them:
   * its stream would never be written, and what holds the files would not be let go.
   */
  static Answer wrapped(Exchange exchange, Answer answer) {
    if (exchange.wire().sendsFiles() || exchange.method().equals("HEAD")) {
      return answer;
    }
    return switch (answer.body()) {
      case Body.Region region -> wrapped(answer, List.of(region));
      case Body.Regions(List<Body.Region> parts) -> wrapped(answer, parts);
      default -> answer;
    };
  }

  private static Answer wrapped(Answer answer, List<Body.Region> parts) {
    var streamed =
        new Body.Stream(
            Body.Regions.length(parts),
            sink -> {
              try {
                for (Body.Region part : parts) {
                  copy(part, sink);
                }
                return new Headers(1);
              } finally {
                answer.abandon();
              }
            });
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

  private static void copy(Body.Region region, BodySink sink) throws IOException {
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
  }
}
