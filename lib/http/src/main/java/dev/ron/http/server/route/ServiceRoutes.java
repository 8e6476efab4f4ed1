package dev.ron.http.server.route;

import dev.ron.http.server.Handler;
import dev.ron.http.server.Inline;
import dev.ron.http.server.exchange.Answer;
import dev.ron.kernel.Scope;
import dev.ron.kernel.registry.RegistryJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The routes that every server has besides its own, answered even when it is full or going down. A
 * server's own route wins over one of these.
 *
 * <p>Threading: immutable.
 */
public final class ServiceRoutes {
  /** A probe comes back within this time; long enough not to be a storm. */
  private static final String RETRY_AFTER_SECONDS = "1";

  private ServiceRoutes() {}

  public static List<Route> of(Scope scope, String version, List<Route> own) {
    Inline healthz = exchange -> exchange.answer(Answer.text(200, "ok\n"));
    Inline readyz = exchange -> exchange.answer(readiness(scope));
    Answer named =
        Answer.json(
            200,
            "{\"service\":%s,\"version\":%s}"
                .formatted(RegistryJson.quoted(scope.service()), RegistryJson.quoted(version)));
    Inline versioned = exchange -> exchange.answer(named);
    var routes =
        List.of(
            route("/healthz", "healthz", healthz, "The process is alive.", 200),
            route("/readyz", "readyz", readyz, "The service wants traffic.", 200, 503),
            MetricsPage.route(scope.time(), scope.metrics()::text),
            route("/version", "version", versioned, "Name and version.", 200));
    Answer document = Answer.json(200, OpenApi.of(scope.service(), version, own, routes));
    Inline openapi = exchange -> exchange.answer(document);
    var all = new ArrayList<>(routes);
    all.add(route("/openapi.json", "openapi", openapi, "This document.", 200, 401, 403));
    all.removeIf(shared -> own.stream().anyMatch(shared::isSamePlace));
    return all;
  }

  /** Readiness and metrics of a service whose own door speaks a protocol without such routes. */
  public static List<Route> beside(Scope scope, String prefix) {
    Inline readyz = exchange -> exchange.answer(readiness(scope));
    return List.of(
        route(prefix + "/readyz", "readyz", readyz, "The service wants traffic.", 200, 503),
        MetricsPage.route(prefix + "/metrics", scope.time(), scope.metrics()::text));
  }

  private static Route route(
      String path, String op, Handler handler, String summary, Integer... statuses) {
    return Route.of("GET", path, op, handler)
        .documented(summary, List.of(statuses))
        .asOperational();
  }

  private static Answer readiness(Scope scope) {
    Map<String, String> missing = scope.readiness().missing();
    Map<String, String> notes = scope.readiness().notes();
    String body =
        "{\"ready\":%s,\"missing\":%s%s}"
            .formatted(
                missing.isEmpty(),
                object(missing),
                notes.isEmpty() ? "" : ",\"notes\":" + object(notes));
    return missing.isEmpty()
        ? Answer.json(200, body)
        : Answer.json(503, body).with("Retry-After", RETRY_AFTER_SECONDS);
  }

  private static String object(Map<String, String> texts) {
    return texts.entrySet().stream()
        .map(one -> RegistryJson.quoted(one.getKey()) + ":" + RegistryJson.quoted(one.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }
}
