package dev.ron.http.server;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One method of one path, what it does, and what it allows.
 *
 * <p>Threading: immutable; each method answers a changed copy.
 *
 * @param op the operation's name in metrics, logs and the OpenAPI document
 * @param summary one line for the OpenAPI document
 * @param statuses every status it answers by itself
 * @param queryParams names of the query parameters it reads
 * @param operational answered even when the server is full, limited or draining
 * @param codedBody the handler wants the body as it was sent, not decoded
 * @param relays its answers are another server's, which speaks for itself to browsers
 */
public record Route(
    String method,
    PathPattern pattern,
    String op,
    Handler handler,
    String summary,
    List<Integer> statuses,
    List<String> queryParams,
    Optional<Duration> timeout,
    Optional<Long> bodyCap,
    boolean operational,
    boolean codedBody,
    boolean relays) {
  public Route {
    statuses = List.copyOf(statuses);
    queryParams = List.copyOf(queryParams);
  }

  public static Route of(String method, String path, String op, Handler handler) {
    return of(method, new PathPattern(path), op, handler);
  }

  public static Route of(String method, PathPattern pattern, String op, Handler handler) {
    return new Route(
        method,
        pattern,
        op,
        handler,
        op,
        List.of(200),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        false,
        false,
        false);
  }

  /** What the OpenAPI document says about it. */
  public Route documented(String newSummary, List<Integer> newStatuses, String... newQueryParams) {
    return new Route(
        method,
        pattern,
        op,
        handler,
        newSummary,
        newStatuses,
        List.of(newQueryParams),
        timeout,
        bodyCap,
        operational,
        codedBody,
        relays);
  }

  /** Another time limit than the server's. */
  public Route within(Duration limit) {
    return new Route(
        method,
        pattern,
        op,
        handler,
        summary,
        statuses,
        queryParams,
        Optional.of(limit),
        bodyCap,
        operational,
        codedBody,
        relays);
  }

  /** Another body cap than the server's. */
  public Route bodyBytesMax(long bytes) {
    return new Route(
        method,
        pattern,
        op,
        handler,
        summary,
        statuses,
        queryParams,
        timeout,
        Optional.of(bytes),
        operational,
        codedBody,
        relays);
  }

  /** Leaves a coded body as it is; for proxying. */
  public Route withCodedBody() {
    return new Route(
        method,
        pattern,
        op,
        handler,
        summary,
        statuses,
        queryParams,
        timeout,
        bodyCap,
        operational,
        true,
        relays);
  }

  /** Answers are passed on from another server: nothing is added that would change a page. */
  public Route relaying() {
    return new Route(
        method,
        pattern,
        op,
        handler,
        summary,
        statuses,
        queryParams,
        timeout,
        bodyCap,
        operational,
        codedBody,
        true);
  }

  /** Answered even when the server is full, limited or draining; at a rate of its own. */
  public Route asOperational() {
    return new Route(
        method,
        pattern,
        op,
        handler,
        summary,
        statuses,
        queryParams,
        timeout,
        bodyCap,
        true,
        codedBody,
        relays);
  }

  boolean isSamePlace(Route other) {
    return method.equals(other.method) && pattern.toString().equals(other.pattern.toString());
  }

  long bodyCapOr(long serverMax) {
    return bodyCap.orElse(serverMax);
  }
}
