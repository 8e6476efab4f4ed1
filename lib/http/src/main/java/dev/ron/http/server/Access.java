package dev.ron.http.server;

import dev.ron.capability.Verifier;
import dev.ron.http.server.guard.DetailsGuard;
import dev.ron.http.server.guard.Guard;
import dev.ron.kernel.Scope;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which requests a door takes at all, before the checks of each route.
 *
 * <p>Threading: immutable.
 *
 * @param hosts names besides this machine's own that a request may be addressed to, {@code
 *     *.domain} for all below one, {@code *} for any; a door that is not on loopback takes any name
 *     if there are none
 * @param details asked for {@code /metrics} and {@code /openapi.json}, which tell of tenants,
 *     topics and inner workings
 * @param detailsLocally whether a door that only this machine reaches shows them without a
 *     capability, but for what is a tenant's
 */
public record Access(List<String> hosts, Guard details, boolean detailsLocally) {
  /** No further names; details for this machine alone. */
  public static final Access STANDARD = new Access(List.of(), DetailsGuard.NONE, true);

  public Access {
    hosts = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
  }

  /**
   * Details for this machine, of tenants only as far as a capability that is shown goes, and
   * elsewhere for an operator's with {@code op = metrics}.
   */
  public static Access of(List<String> hosts, Scope scope, @Nullable Verifier verifier) {
    return new Access(hosts, DetailsGuard.of(scope, verifier), true);
  }

  /**
   * Details for a capability with {@code op = metrics} alone; for a door that unknown clients
   * reach.
   */
  public Access withoutLocalDetails() {
    return new Access(hosts, details, false);
  }

  Guard detailsOn(Bind bind) {
    if (!detailsLocally || !bind.local()) {
      return details;
    }
    return details instanceof DetailsGuard known ? known.locally() : Guard.OPEN;
  }
}
