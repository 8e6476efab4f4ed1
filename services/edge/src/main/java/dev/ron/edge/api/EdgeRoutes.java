package dev.ron.edge.api;

import dev.ron.edge.core.AllowList;
import dev.ron.http.server.Inline;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import java.time.Duration;
import java.util.List;

/** Every route of the edge, with what it answers. */
public final class EdgeRoutes {
  /** For a client to take an answer that came as late as a fill allows. */
  private static final Duration TRANSFER = Duration.ofMinutes(5);

  private static final List<Integer> STATUSES =
      List.of(200, 202, 206, 304, 401, 403, 404, 405, 416, 429, 502, 503, 504);

  private EdgeRoutes() {}

  /** Packs come before the mounts, so that a mount of everything does not hide them. */
  public static Routes of(PackContext packs, EdgeContext context) {
    Routes routes = PackRoutes.of(packs, context.config().ingress().decodeLimits());
    for (AllowList.Root root : context.config().mounts().roots()) {
      Inline asset = new Asset(context, root.mount(), root.path()).handler();
      routes.add(route(root.path(), asset, context));
      routes.add(route(root.path() + "{path...}", asset, context));
    }
    return routes;
  }

  private static Route route(String path, Inline handler, EdgeContext context) {
    return Route.of(Routes.ANY, path, "asset", handler)
        .documented("An asset of a mount, from the cache or its upstream.", STATUSES)
        .within(context.config().fill().limit().plus(TRANSFER))
        .withCodedBody()
        .relaying();
  }
}
