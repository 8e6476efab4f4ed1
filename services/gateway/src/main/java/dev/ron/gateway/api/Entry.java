package dev.ron.gateway.api;

import dev.ron.capability.Ask;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.Grant;
import dev.ron.capability.Verdict;
import dev.ron.capability.Verifier;
import dev.ron.gateway.GatewayFault;
import dev.ron.gateway.GatewayFault.TenantClass;
import dev.ron.gateway.GatewayRoute;
import dev.ron.gateway.core.RouteTable;
import dev.ron.gateway.task.Machinery;
import dev.ron.gateway.task.RateBook;
import dev.ron.gateway.task.Routing;
import dev.ron.gateway.task.Tenant;
import dev.ron.gateway.task.Tenants;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.CapabilityGuard;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a request must show before it gets a place: a route, a size, a capability, a rate.
 *
 * <p>Threading: immutable; called on event loops, its parts are thread-safe.
 *
 * @param verifier null lets everybody in without a capability
 */
record Entry(Machinery machinery, @Nullable Verifier verifier, Time time, long bodyBytesMax) {
  private static final int TENANT_CHARS_MAX = 64;

  /** Where the request goes, and whom it is charged to. */
  record Passed(Routing routing, Routing.Line line, Tenant tenant) {}

  Passed check(Exchange exchange) throws Refusal {
    Routing routing = machinery.routings().now();
    Routing.Line line = line(routing, exchange);
    GatewayRoute route = line.route();
    long bytesMax = route.body().bytes() > 0 ? route.body().bytes() : bodyBytesMax;
    Grant grant = grant(route, exchange);
    if (grant != null && grant.bytesMax().isPresent()) {
      bytesMax = Math.min(bytesMax, grant.bytesMax().getAsLong());
    }
    if (exchange.head().bodyLength() > bytesMax) {
      throw Refusal.of(new HttpFault.BodyCap(bytesMax));
    }
    exchange.body().bytesMax(bytesMax);
    Tenant tenant = tenant(routing, grant, exchange);
    rates(routing, tenant, grant);
    return new Passed(routing, line, tenant);
  }

  private static Routing.Line line(Routing routing, Exchange exchange) throws Refusal {
    String host = host(exchange.head().authority());
    return switch (routing.routes().find(host, exchange.path(), exchange.method())) {
      case RouteTable.Match.Found<Routing.Line>(var line) -> line;
      case RouteTable.Match.WrongMethod<Routing.Line>(String allowed) ->
          throw Refusal.of(new HttpFault.MethodNotAllowed(allowed));
      case RouteTable.Match.Nothing<Routing.Line>() ->
          throw Refusal.of(new HttpFault.NotFound("no route has this host and path"));
    };
  }

  private static String host(String authority) {
    int colon = authority.lastIndexOf(':');
    return colon < 0 || authority.endsWith("]") ? authority : authority.substring(0, colon);
  }

  /**
   * A token that is shown is always checked. For a route to a service of Ron the service checks the
   * operation and the path; for any other upstream nobody else would, so the method is the
   * operation and the request's path is the path.
   */
  private @Nullable Grant grant(GatewayRoute route, Exchange exchange) throws Refusal {
    String token = CapabilityGuard.token(exchange);
    if (verifier == null || (token.isEmpty() && !route.needsCapability(exchange.method()))) {
      return null;
    }
    long bytes = Math.max(0, exchange.head().bodyLength());
    String op = exchange.method().toLowerCase(Locale.ROOT);
    boolean ownService = !route.service().isEmpty();
    Ask ask = Ask.of(ownService ? route.service() : "gateway", op, time.wall()).withBytes(bytes);
    Verdict verdict =
        ownService
            ? verifier.verifyAtDoor(token, ask)
            : verifier.verify(token, ask.onPath(exchange.path()));
    return switch (verdict) {
      case Verdict.Granted(Grant grant) -> grant;
      case Verdict.Refused(CapabilityFault fault) ->
          throw Refusal.of(
              fault.code().equals("unauth")
                  ? new HttpFault.Unauth(fault.detail())
                  : new HttpFault.Forbidden(fault.detail()));
    };
  }

  private Tenant tenant(Routing routing, @Nullable Grant grant, Exchange exchange) {
    Tenants tenants = machinery.tenants();
    if (grant != null && grant.tenant().isPresent()) {
      return tenants.of(grant.tenant().get(), TenantClass.CAPABILITY);
    }
    if (!routing.tenantHeader().isEmpty()) {
      String name = exchange.headers().first(routing.tenantHeader());
      if (name != null && !name.isBlank() && name.length() <= TENANT_CHARS_MAX) {
        return tenants.of(name.strip(), TenantClass.HEADER);
      }
    }
    return tenants.of(Tenants.ANONYMOUS, TenantClass.ANONYMOUS);
  }

  private void rates(Routing routing, Tenant tenant, @Nullable Grant grant) throws Refusal {
    // The narrowest first: a request refused there must not use up what others share.
    if (grant != null && grant.ratePerSecond().isPresent()) {
      long rate = grant.ratePerSecond().getAsLong();
      var key =
          new RateBook.Key("capability", grant.tokenId().toString(), Math.min(rate, 1L << 32));
      pace("this capability", rate, machinery.rates().waitFor(key), tenant);
    }
    if (routing.tenantRate() > 0) {
      int rate = routing.tenantRate();
      String name = tenant.tenantClass() + "/" + tenant.name();
      pace(
          "a tenant",
          rate,
          machinery.rates().waitFor(new RateBook.Key("tenant", name, rate)),
          tenant);
    }
    if (routing.instanceRate() != null) {
      pace("this gateway's clients", routing.rps(), routing.instanceRate().waitFor(1), tenant);
    }
  }

  private static void pace(String what, long rate, Duration wait, Tenant tenant) throws Refusal {
    if (!wait.isZero()) {
      tenant.overQuota();
      var fault = new GatewayFault.Quota(what, rate, wait, tenant.standing());
      throw new Refusal(Problems.status(fault), fault);
    }
  }
}
