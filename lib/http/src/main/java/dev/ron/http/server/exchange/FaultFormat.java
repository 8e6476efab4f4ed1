package dev.ron.http.server.exchange;

import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.Problem;
import dev.ron.http.wire.RequestHead;

/**
 * Writes a fault as the answer that a door's clients expect.
 *
 * <p>Every refusal passes here, in either protocol: of the parser, the limits, the drain, a
 * timeout, a handler, and a bug as {@link HttpFault.Internal}. The server adds {@code Retry-After}
 * and {@code Allow} where the fault has them and the answer does not, and leaves the body of a HEAD
 * out.
 *
 * <p>Threading: called on event loops; must not block.
 */
@FunctionalInterface
public interface FaultFormat {
  /** {@code application/problem+json}, RFC 9457. */
  FaultFormat PROBLEM =
      (problem, _) -> {
        Headers headers = new Headers(2).add("Content-Type", Problem.MEDIA_TYPE);
        if (problem.status() == 401) {
          headers.add("WWW-Authenticate", "Bearer");
        }
        return new Answer(problem.status(), headers, new Body.Bytes(problem.json()));
      };

  /**
   * The answer to {@code problem}; its body is {@link Body.Bytes}, its status may be another.
   *
   * @param problem the fault, its status, and the correlation id of the request
   * @param head what was asked; method {@code none} and path {@code /} if the head could not be
   *     read
   */
  Answer answer(Problem problem, RequestHead head);
}
