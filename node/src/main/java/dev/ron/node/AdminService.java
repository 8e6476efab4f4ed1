package dev.ron.node;

import dev.ron.capability.Verifier;
import dev.ron.http.json.Schema;
import dev.ron.http.server.Access;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.http.server.guard.Guard;
import dev.ron.http.server.route.MetricsPage;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.http.server.route.ServiceRoutes;
import dev.ron.http.tls.PinnedCertificates;
import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.Exposition;
import dev.ron.kernel.metric.Metrics;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.metric.TenantSeries;
import dev.ron.kernel.registry.RegistryJson;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.node.cluster.ClusterReport;
import dev.ron.node.dashboard.DashboardPages;
import dev.ron.node.dashboard.DashboardProxy;
import dev.ron.node.dashboard.MetricsHistory;
import dev.ron.node.dashboard.ShowHistory;
import dev.ron.node.usage.NodeUsage;
import dev.ron.node.usage.ShowSeals;
import dev.ron.node.usage.ShowSpans;
import dev.ron.node.usage.ShowTenants;
import dev.ron.node.usage.ShowUsage;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The operator's door: health, readiness, metrics, the registry of the whole node, the dashboard;
 * reload and log for the holder of an operator's capability.
 */
final class AdminService {
  private AdminService() {}

  /**
   * At these doors every path is a bucket's or a queue's, so what all services tell of themselves
   * is here.
   */
  private static final Set<String> FOREIGN = Set.of("s3", "sqs");

  /** What the kernel writes of a service grows with it, so only what is around it is promised. */
  private static final Schema REGISTRY =
      Schema.object(
          new TreeMap<>(Map.of("services", Schema.list(Schema.map(Schema.ANY)))),
          List.of("services"));

  /** What an operator can do to the node, and how it is known who is one. */
  record Controls(
      Verifier verifier, NodeReload reload, RecentLog log, NodeUsage usage, NodeMachines machines) {
    List<Route> routes(List<Scope> services) {
      return List.of(
          Route.post("/reload")
              .op("reload")
              .summary("Reads the configuration again, as SIGHUP does.")
              .answers(200, NodeReload.Outcome.class)
              .answers(409, ReloadConfig.Rejection.class)
              .answers(401, 403)
              .does(new ReloadConfig(reload)),
          Route.get("/logs")
              .op("logs")
              .summary("The last lines of the log.")
              .query("from")
              .example("from", "0")
              .answers(200, ShowLogs.Reply.class)
              .answers(400, 401, 403)
              .does(new ShowLogs(log)),
          Route.get("/settings")
              .op("settings")
              .summary("Every setting, its value and where it came from; no secret.")
              .answers(200, ShowSettings.Reply.class)
              .answers(401, 403)
              .does(new ShowSettings(reload)),
          Route.get("/usage")
              .op("usage")
              .summary("What tenants used; with a tenant's capability its own alone.")
              .query("since", "tenant")
              .example("since", "2026-11-18T00:00:00Z")
              .answers(200, ShowUsage.Reply.class)
              .answers(400, 401, 403)
              .does(new ShowUsage(usage)),
          Route.get("/tenants")
              .op("tenants")
              .summary("What tenants may use and use now; with a tenant's capability its own row.")
              .query("tenant")
              .answers(200, ShowTenants.Reply.class)
              .answers(401, 403)
              .does(new ShowTenants(usage, services.getFirst(), services)),
          Route.get("/cluster")
              .op("cluster")
              .summary("The machines of the node's cluster, as the node sees them.")
              .answers(200, ClusterReport.class)
              .answers(401, 403)
              .does(new ShowCluster(machines)),
          Route.get("/usage/spans")
              .op("usage-spans")
              .summary("What one account came to, span by span, with the seal of each.")
              .query("tenant", "metric")
              .example("tenant", Payer.OPERATOR)
              .example("metric", "mailbox.requests")
              .answers(200, ShowSpans.Reply.class)
              .answers(400, 401, 403)
              .does(new ShowSpans(usage)),
          Route.get("/usage/seals")
              .op("usage-seals")
              .summary("Every seal over what tenants used, oldest first.")
              .answers(200, "application/json", ShowSeals.SCHEMA)
              .answers(401, 403)
              .does(new ShowSeals(usage)));
    }
  }

  /**
   * Describes the tree.
   *
   * @param services the scopes of all services of the node
   * @param addressOf where a service of the node answers, once its door is open
   * @param certificates those of its doors
   */
  static ServiceKind.Wired wire(
      NodeSettings settings,
      Scope scope,
      Controls controls,
      List<Scope> services,
      Function<String, Optional<URI>> addressOf,
      PinnedCertificates certificates)
      throws IOException {
    AdminConfig config = settings.admin();
    NodeConfig node = settings.node();
    scope.readiness().derived("services", () -> unready(services));
    Blocking registry = _ -> Answer.json(200, registryJson(scope, services, addressOf));
    var all = new LinkedHashMap<String, Metrics>();
    all.put(scope.service(), scope.metrics());
    services.forEach(each -> all.put(each.service(), each.metrics()));
    var history =
        new MetricsHistory(services.subList(1, services.size())); // the node's own is no door
    var passage =
        new DashboardProxy(scope, addressOf, name -> region(settings, name), certificates);
    var routes =
        passage
            .into(DashboardPages.into(Routes.of()))
            .add(shown(registry, new ShowHistory(history)))
            .add(
                MetricsPage.route(
                    scope.time(), () -> Exposition.of(all), new TenantSeries(all.values())));
    for (Route route : controls.routes(services)) {
      routes = routes.add(route);
    }
    routes = beside(services, routes);
    Guard guard = AdminRights.guard(scope, controls.verifier());
    var door =
        new HttpServer(
            scope,
            HttpServerConfig.on(config.bind().host(), config.bind().port())
                .with(
                    node.limits() == NodeConfig.LimitsProfile.OPEN ? Limits.OPEN : Limits.HARDENED)
                .with(new Access(node.hosts(), guard, false))
                .withLoops(1)
                .withAccessLog(false),
            routes,
            guard,
            Decoders.NONE);
    return new ServiceKind.Wired(
        Supervisor.named("admin")
            .child("history", Restart.ALWAYS, () -> history)
            .door("passage", passage)
            .door("http", door)
            .drainWithin(node.drain()),
        door);
  }

  private static Route[] shown(Blocking registry, ShowHistory history) {
    return new Route[] {
      Route.get("/registry")
          .op("registry")
          .summary("Tasks, channels and locks of every service.")
          .answers(200, "application/json", REGISTRY)
          .answers(429)
          .does(registry)
          .asOperational(),
      Route.get("/history")
          .op("history")
          .summary("Rates and latencies of the last hour.")
          .query("since")
          .example("since", "0")
          .answers(200, "application/json", ShowHistory.SCHEMA)
          .answers(400)
          .does(history)
    };
  }

  /** Readiness and metrics of the services whose doors speak for others alone. */
  private static Routes beside(List<Scope> services, Routes routes) {
    for (Scope each : services) {
      if (FOREIGN.contains(each.service())) {
        for (Route route : ServiceRoutes.beside(each, "/api/" + each.service())) {
          routes = routes.add(route);
        }
      }
    }
    return routes;
  }

  /** What a door with signatures takes them for, by the settings of its host. */
  private static String region(NodeSettings settings, String service) {
    return settings.catalogue().entries().stream()
        .filter(entry -> entry.path().endsWith("." + service + ".region"))
        .map(entry -> String.valueOf(entry.value()))
        .findFirst()
        .orElse("us-east-1");
  }

  private static Optional<String> unready(List<Scope> services) {
    String names =
        services.stream()
            .filter(scope -> !scope.readiness().ready())
            .map(scope -> scope.service() + " is not ready: " + NodeProcess.lacks(scope))
            .collect(Collectors.joining("; "));
    return names.isEmpty() ? Optional.empty() : Optional.of(names);
  }

  private static String registryJson(
      Scope admin, List<Scope> services, Function<String, Optional<URI>> addressOf) {
    return Stream.concat(Stream.of(admin), services.stream())
        .map(
            scope ->
                withReadiness(
                    scope,
                    RegistryJson.of(
                        scope.registry(),
                        addressOf.apply(scope.service()).map(URI::toString).orElse(""))))
        .collect(Collectors.joining(",", "{\"services\":[", "]}"));
  }

  /** At the end, because clients know how a service's object begins. */
  private static String withReadiness(Scope scope, String registry) {
    return "%s,\"ready\":%b,\"missing\":%s}"
        .formatted(
            registry.substring(0, registry.length() - 1),
            scope.readiness().ready(),
            RegistryJson.quoted(NodeProcess.lacks(scope)));
  }
}
