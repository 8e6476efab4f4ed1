package dev.ron.edge.api;

import dev.ron.http.server.Routes;

/** Every route of the edge, with what it answers. */
public final class EdgeRoutes {
  private EdgeRoutes() {}

  /** Packs come before mounts, so that a mount of everything does not hide them. */
  public static Routes of() {
    return Routes.of();
  }
}
