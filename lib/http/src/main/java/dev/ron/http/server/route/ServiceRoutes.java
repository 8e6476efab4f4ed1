package dev.ron.http.server.route;

import dev.ron.http.json.Schema;
import dev.ron.http.server.Handler;
import dev.ron.http.server.Inline;
import dev.ron.http.server.exchange.Answer;
import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.TenantSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

  /**
   * @param missing why it wants none, by what is missing
   * @param notes what an operator should know of it although it is ready; absent if there is none
   */
  private record ReadinessReply(
      boolean ready, Map<String, String> missing, @Nullable Map<String, String> notes) {}

  private record Version(String service, String version) {}

  public static List<Route> of(Scope scope, String version, List<Route> own) {
    Inline healthz = exchange -> exchange.answer(Answer.text(200, "ok\n"));
    Answer named = Answer.json(200, new Version(scope.service(), version));
    Inline versioned = exchange -> exchange.answer(named);
    var routes =
        List.of(
            route("/healthz", "healthz", healthz, "The process is alive.")
                .answers(200, "text/plain", Schema.TEXT),
            readyz("/readyz", scope),
            metrics("/metrics", scope),
            route("/version", "version", versioned, "Name and version.")
                .answers(200, Version.class));
    Answer document = Answer.json(200, OpenApi.of(scope.service(), version, own, routes));
    Inline openapi = exchange -> exchange.answer(document);
    var all = new ArrayList<>(routes);
    all.add(route("/openapi.json", "openapi", openapi, "This document.").answers(200, 401, 403));
    all.removeIf(shared -> own.stream().anyMatch(shared::isSamePlace));
    return all;
  }

  /** Readiness and metrics of a service whose own door speaks a protocol without such routes. */
  public static List<Route> beside(Scope scope, String prefix) {
    return List.of(readyz(prefix + "/readyz", scope), metrics(prefix + "/metrics", scope));
  }

  private static Route metrics(String path, Scope scope) {
    var series = new TenantSeries(List.of(scope.metrics()));
    return MetricsPage.route(path, scope.time(), scope.metrics()::text, series);
  }

  private static Route readyz(String path, Scope scope) {
    Inline readyz = exchange -> exchange.answer(readiness(scope));
    return route(path, "readyz", readyz, "The service wants traffic.")
        .answers(200, ReadinessReply.class)
        .answers(503, ReadinessReply.class);
  }

  private static Route route(String path, String op, Handler handler, String summary) {
    return Route.of("GET", path, op, handler).summary(summary).asOperational();
  }

  private static Answer readiness(Scope scope) {
    Map<String, String> missing = scope.readiness().missing();
    Map<String, String> notes = scope.readiness().notes();
    var said = new ReadinessReply(missing.isEmpty(), missing, notes.isEmpty() ? null : notes);
    return missing.isEmpty()
        ? Answer.json(200, said)
        : Answer.json(503, said).with("Retry-After", RETRY_AFTER_SECONDS);
  }
}
