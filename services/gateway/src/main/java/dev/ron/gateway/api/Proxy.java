package dev.ron.gateway.api;

import dev.ron.gateway.admit.Admission;
import dev.ron.gateway.admit.RequestChecks;
import dev.ron.gateway.forward.ForwardedFields;
import dev.ron.gateway.forward.ProxiedRequest;
import dev.ron.gateway.route.GatewayClients;
import dev.ron.http.Refusal;
import dev.ron.http.server.Inline;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import java.time.Duration;
import java.util.List;

/**
 * The one verb of the gateway: pass on what may pass.
 *
 * <p>Threading: immutable; called on event loops.
 *
 * @param idle how long a stream may stand still once it has begun
 * @param forMachines whether the gateways of other machines ask: what they ask for goes to services
 *     of this machine alone
 */
public record Proxy(
    Scope scope,
    Admission admission,
    Watch<Boolean> shutdown,
    GatewayClients clients,
    ForwardedFields forwarded,
    Duration idle,
    RequestChecks entry,
    boolean forMachines)
    implements Inline {
  /** Everything but the server's own paths. */
  public Routes routes() {
    return Routes.of().add(route("/")).add(route("/{path...}"));
  }

  private Route route(String path) {
    return Route.of(Routes.ANY, path, "proxy", this)
        .documented(
            "Passes the request to the upstream its route names",
            List.of(200, 400, 401, 403, 404, 405, 413, 415, 429, 502, 503, 504));
  }

  @Override
  public void handle(Exchange exchange) throws Refusal {
    new ProxiedRequest(this, exchange, entry.check(exchange, forMachines)).arrive();
  }
}
