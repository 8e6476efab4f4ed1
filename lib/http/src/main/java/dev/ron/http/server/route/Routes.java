package dev.ron.http.server.route;

import dev.ron.http.server.Handler;
import java.util.ArrayList;
import java.util.List;

/**
 * A server's routes, in the order they are written.
 *
 * <p>A path without parameters is matched before all others; after that the first match wins.
 *
 * <p>Threading: owned by the code that wires the server; the server takes a copy.
 */
public final class Routes {
  /** Stands for every method; for proxying. */
  public static final String ANY = "*";

  private final List<Route> routes = new ArrayList<>();

  private Routes() {}

  public static Routes of(Route... routes) {
    return new Routes().add(routes);
  }

  /** Also answers HEAD, without the body. */
  public Routes get(String path, String op, Handler handler) {
    return add(Route.of("GET", path, op, handler));
  }

  public Routes post(String path, String op, Handler handler) {
    return add(Route.of("POST", path, op, handler));
  }

  public Routes put(String path, String op, Handler handler) {
    return add(Route.of("PUT", path, op, handler));
  }

  public Routes delete(String path, String op, Handler handler) {
    return add(Route.of("DELETE", path, op, handler));
  }

  public Routes any(String path, String op, Handler handler) {
    return add(Route.of(ANY, path, op, handler));
  }

  public Routes add(Route... more) {
    for (Route route : more) {
      add(route);
    }
    return this;
  }

  public Routes add(Route route) {
    for (Route other : routes) {
      if (other.isSamePlace(route)) {
        throw new IllegalArgumentException(
            "two routes for " + route.method() + " " + route.pattern());
      }
    }
    routes.add(route.complete());
    return this;
  }

  public List<Route> all() {
    return List.copyOf(routes);
  }
}
