package dev.ron.http.server.exchange;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.json.Json;
import dev.ron.kernel.fault.Fault;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Status, headers and body. The server adds framing, date, correlation id and the security headers
 * by itself.
 *
 * <p>Threading: immutable; one answer may serve many requests, except where its body is a file that
 * closes.
 */
public record Answer(int status, Headers headers, Body body) {
  public Answer {
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException("status = " + status);
    }
  }

  public static Answer empty(int status) {
    return new Answer(status, new Headers(1), Body.Bytes.NONE);
  }

  public static Answer bytes(int status, String contentType, byte[] bytes) {
    return new Answer(status, Headers.of("Content-Type", contentType), new Body.Bytes(bytes));
  }

  /** A body with fields after it. */
  public static Answer trailed(int status, Headers headers, byte[] bytes, Headers trailers) {
    return new Answer(status, headers, new Body.Trailed(bytes, trailers));
  }

  public static Answer text(int status, String text) {
    return bytes(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  public static Answer json(int status, String json) {
    return bytes(status, "application/json", json.getBytes(StandardCharsets.UTF_8));
  }

  /** A reply record, as {@link Json} writes it. */
  public static Answer json(int status, Record reply) {
    return bytes(status, "application/json", Json.plain().write(reply));
  }

  public static Answer file(int status, Headers headers, Body.Region region) {
    return new Answer(status, headers, region);
  }

  /** A body whose length is not known before its end. */
  public static Answer stream(int status, Headers headers, Body.Stream.Writer writer) {
    return new Answer(status, headers, new Body.Stream(-1, writer));
  }

  public static Answer stream(int status, Headers headers, long length, Body.Stream.Writer writer) {
    return new Answer(status, headers, new Body.Stream(length, writer));
  }

  /**
   * An answer to HEAD, or a 304, that says the length of a body it does not have.
   *
   * <p>{@code Content-Length} is the server's to say, here as everywhere: {@code headers} have
   * none.
   */
  public static Answer unsent(int status, Headers headers, long length) {
    return new Answer(status, headers, new Body.Unsent(length));
  }

  /** A fault with a status that it does not say itself. */
  public static Answer problem(int status, Fault fault) {
    return new Answer(status, new Headers(2), new Body.Refused(fault));
  }

  public static Answer problem(Fault fault) {
    return problem(fault.status(), fault);
  }

  public static Answer problem(Refusal refusal) {
    return problem(refusal.status(), refusal.fault());
  }

  /** The same answer with one more header. */
  public Answer with(String name, String value) {
    return new Answer(status, headers.copy().add(name, value), body);
  }

  /** Lets go of what the answer holds when it will not be sent. */
  void abandon() {
    switch (body) {
      case Body.Region region -> region.letGo();
      case Body.Regions(List<Body.Region> parts) -> parts.forEach(Body.Region::letGo);
      default -> {}
    }
  }
}
