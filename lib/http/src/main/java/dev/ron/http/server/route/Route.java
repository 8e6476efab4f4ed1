package dev.ron.http.server.route;

import dev.ron.http.json.Form;
import dev.ron.http.json.Schema;
import dev.ron.http.server.Handler;
import dev.ron.http.server.Inline;
import dev.ron.http.server.Verb;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One method of one path, what it does, what it allows, and what the OpenAPI document says of it.
 *
 * <pre>{@code
 * Route.post("/v1/send").op("send").summary("Takes a message in, durably.")
 *     .takes(Send.FORM).answers(200, Send.Reply.class).answers(400, 401, 403, 409, 413, 422)
 *     .does(new Send(context))
 * }</pre>
 *
 * <p>What is said twice is an error when the routes are made: of two summaries, or two answers with
 * one status, a reader would see one.
 *
 * <p>Threading: immutable; each method answers a changed copy.
 *
 * @param op the operation's name in metrics, logs and the OpenAPI document
 */
public record Route(
    String method, PathPattern pattern, String op, Handler handler, Docs docs, Terms terms) {
  /** The time limit of a route that has none. */
  public static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

  /** Until the route has one. */
  private static final Inline NOTHING = _ -> {};

  /**
   * What the OpenAPI document says.
   *
   * @param answers every status it answers by itself, with the bodies that may come with it, one
   *     for each media type
   * @param query names of the query parameters it reads
   * @param examples of parameters, by name
   */
  record Docs(
      String summary,
      Optional<Content> takes,
      Map<Integer, List<Content>> answers,
      List<String> query,
      Map<String, String> examples) {
    static final Docs NONE = new Docs("", Optional.empty(), Map.of(), List.of(), Map.of());
  }

  /** A body: its media type, and its schema where it has one. */
  record Content(String mediaType, Schema schema) {}

  /**
   * What it allows.
   *
   * @param operational answered even when the server is full, limited or draining
   * @param codedBody the handler wants the body as it was sent, not decoded
   * @param relays its answers are another server's, which speaks for itself to browsers
   */
  public record Terms(
      Optional<Duration> timeout,
      Optional<Long> bodyBytesMax,
      boolean operational,
      boolean codedBody,
      boolean relays) {
    static final Terms NONE = new Terms(Optional.empty(), Optional.empty(), false, false, false);
  }

  /** Also answers HEAD, without the body. */
  public static Route get(String path) {
    return of("GET", path, "", NOTHING);
  }

  public static Route post(String path) {
    return of("POST", path, "", NOTHING);
  }

  public static Route put(String path) {
    return of("PUT", path, "", NOTHING);
  }

  public static Route delete(String path) {
    return of("DELETE", path, "", NOTHING);
  }

  /**
   * Every method of every path, OPTIONS and {@code *} too: the handler decides. Only a path without
   * parameters that has a route of its own is matched before it.
   */
  public static Route all(String op, Handler handler) {
    return of(Routes.ANY, PathPattern.ALL, op, handler);
  }

  public static Route of(String method, String path, String op, Handler handler) {
    return of(method, new PathPattern(path), op, handler);
  }

  public static Route of(String method, PathPattern pattern, String op, Handler handler) {
    return new Route(method, pattern, op, handler, Docs.NONE, Terms.NONE);
  }

  public Route op(String name) {
    once(op.isEmpty(), "an operation");
    return new Route(method, pattern, name, handler, docs, terms);
  }

  public Route does(Handler work) {
    once(handler.equals(NOTHING), "a handler");
    return new Route(method, pattern, op, work, docs, terms);
  }

  public Route does(Verb<?, ?> verb) {
    return does(verb.handler());
  }

  /** One line for the OpenAPI document. */
  public Route summary(String line) {
    once(docs.summary.isEmpty(), "a summary");
    return with(new Docs(line, docs.takes, docs.answers, docs.query, docs.examples));
  }

  /** A JSON body of this form. */
  public Route takes(Form form) {
    return takes("application/json", form.schema());
  }

  public Route takes(String mediaType, Schema schema) {
    once(docs.takes.isEmpty(), "a body");
    var body = Optional.of(new Content(mediaType, schema));
    return with(new Docs(docs.summary, body, docs.answers, docs.query, docs.examples));
  }

  /** Statuses without a schema of their own; from 400 on they are problems. */
  public Route answers(int... statuses) {
    Route more = this;
    for (int status : statuses) {
      more = more.answered(status, List.of());
    }
    return more;
  }

  /** A reply as {@link Verb#write} writes it. */
  public Route answers(int status, Class<? extends Record> reply) {
    return answers(status, "application/json", Schema.of(reply));
  }

  public Route answers(int status, String mediaType, Schema schema) {
    return answers(status, List.of(mediaType), schema);
  }

  /** A body in one of several media types, which the path or the caller's wish decides. */
  public Route answers(int status, List<String> mediaTypes, Schema schema) {
    return answered(status, mediaTypes.stream().map(type -> new Content(type, schema)).toList());
  }

  private Route answered(int status, List<Content> contents) {
    var more = new TreeMap<>(docs.answers);
    once(more.put(status, contents) == null, "an answer " + status);
    return with(new Docs(docs.summary, docs.takes, more, docs.query, docs.examples));
  }

  public Route query(String... names) {
    once(docs.query.isEmpty(), "query parameters");
    return with(new Docs(docs.summary, docs.takes, docs.answers, List.of(names), docs.examples));
  }

  /** A value of a parameter in the path or the query that a reader may ask with. */
  public Route example(String parameter, String value) {
    var more = new TreeMap<>(docs.examples);
    once(more.put(parameter, value) == null, "an example of " + parameter);
    return with(new Docs(docs.summary, docs.takes, docs.answers, docs.query, more));
  }

  /** What the OpenAPI document says about it, without schemas. */
  public Route documented(String line, List<Integer> statuses, String... names) {
    int[] all = statuses.stream().mapToInt(Integer::intValue).toArray();
    return summary(line).answers(all).query(names);
  }

  /** Another time limit than the server's. */
  public Route within(Duration limit) {
    return with(
        new Terms(
            Optional.of(limit),
            terms.bodyBytesMax,
            terms.operational,
            terms.codedBody,
            terms.relays));
  }

  /**
   * No time limit at all, for bodies that take as long as they take. A peer that sends or takes
   * nothing is still cut after the server's read and write timeouts, and a request may bring a
   * deadline of its own.
   */
  public Route withoutDeadline() {
    return within(FOREVER);
  }

  /** Another body cap than the server's. */
  public Route bodyBytesMax(long bytes) {
    return with(
        new Terms(
            terms.timeout, Optional.of(bytes), terms.operational, terms.codedBody, terms.relays));
  }

  /**
   * Leaves a coded body as it is and takes any coding: for proxying, and where the coding is a part
   * of what is stored.
   */
  public Route withCodedBody() {
    return with(
        new Terms(terms.timeout, terms.bodyBytesMax, terms.operational, true, terms.relays));
  }

  /** Answers are passed on from another server: nothing is added that would change a page. */
  public Route relaying() {
    return with(
        new Terms(terms.timeout, terms.bodyBytesMax, terms.operational, terms.codedBody, true));
  }

  /** Answered even when the server is full, limited or draining; at a rate of its own. */
  public Route asOperational() {
    return with(new Terms(terms.timeout, terms.bodyBytesMax, true, terms.codedBody, terms.relays));
  }

  private Route with(Docs other) {
    return new Route(method, pattern, op, handler, other, terms);
  }

  private Route with(Terms other) {
    return new Route(method, pattern, op, handler, docs, other);
  }

  private void once(boolean first, String what) {
    if (!first) {
      throw new IllegalArgumentException(this + " has " + what + " already");
    }
  }

  /** Fails if it was not written to its end. */
  Route complete() {
    if (op.isEmpty() || handler.equals(NOTHING)) {
      throw new IllegalArgumentException(this + " lacks its op or what it does");
    }
    return this;
  }

  boolean isSamePlace(Route other) {
    return method.equals(other.method) && pattern.toString().equals(other.pattern.toString());
  }

  public long bodyCapOr(long serverMax) {
    return terms.bodyBytesMax.orElse(serverMax);
  }

  @Override
  public String toString() {
    return "route " + method + " " + pattern;
  }
}
