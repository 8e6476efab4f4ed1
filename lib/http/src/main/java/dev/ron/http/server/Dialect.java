package dev.ron.http.server;

import dev.ron.http.server.exchange.FaultFormat;
import dev.ron.http.wire.PathForm;

/**
 * How a door speaks where its clients expect another protocol over HTTP than Ron's own.
 *
 * <p>The limits, timeouts, drain and strictness about framing are the same in every dialect.
 *
 * <p>Threading: immutable.
 *
 * @param paths the spelling in which handlers get the path
 * @param serviceRoutes whether the door has {@code /healthz}, {@code /readyz}, {@code /metrics},
 *     {@code /version} and {@code /openapi.json}; without them every path is the door's own
 * @param faults what a refusal looks like, whichever part of the server refuses
 * @param anyExpectation whether a request that expects something unknown is served without it,
 *     instead of refused
 */
public record Dialect(
    PathForm paths, boolean serviceRoutes, FaultFormat faults, boolean anyExpectation) {
  public Dialect(PathForm paths, boolean serviceRoutes, FaultFormat faults) {
    this(paths, serviceRoutes, faults, false);
  }

  /** Ron's own: normal paths, the routes that every service has, problems as JSON. */
  public static final Dialect STANDARD = new Dialect(PathForm.NORMAL, true, FaultFormat.PROBLEM);

  /** Paths as sent, none of them the server's, and errors in a format of its own. */
  public static Dialect raw(FaultFormat faults) {
    return new Dialect(PathForm.RAW, false, faults);
  }

  public Dialect withAnyExpectation() {
    return new Dialect(paths, serviceRoutes, faults, true);
  }
}
