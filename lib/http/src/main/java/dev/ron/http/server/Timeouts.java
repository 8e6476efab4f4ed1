package dev.ron.http.server;

import java.time.Duration;

/**
 * How long a peer may take.
 *
 * @param read for a whole head, and between two pieces of a body that a handler waits for
 * @param write without any progress while bytes wait to be sent
 * @param idle between two requests
 * @param request from a head to the end of its answer, unless the route says otherwise
 */
public record Timeouts(Duration read, Duration write, Duration idle, Duration request) {
  public static final Timeouts DEFAULT =
      new Timeouts(
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30));

  public Timeouts {
    check("read_timeout", read);
    check("write_timeout", write);
    check("idle_timeout", idle);
    check("request_timeout", request);
  }

  /** With the request's own limit as it is by default. */
  public static Timeouts of(Duration read, Duration write, Duration idle) {
    return new Timeouts(read, write, idle, DEFAULT.request());
  }

  private static void check(String key, Duration value) {
    if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException(key + " = " + value + ", must be 1 ms to 1 day");
    }
  }

  public Duration shortest() {
    Duration shortest = read.compareTo(write) < 0 ? read : write;
    return shortest.compareTo(idle) < 0 ? shortest : idle;
  }
}
