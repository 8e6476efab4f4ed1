package dev.ron.gateway.admit;

import dev.ron.capability.AccessDecision;
import dev.ron.capability.Authentication;
import dev.ron.capability.Capability;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.Grant;
import dev.ron.capability.Verifier;
import dev.ron.capability.Verifier.Recognition;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.gateway.GatewayFault;
import dev.ron.gateway.GatewayFault.TenantClass;
import dev.ron.gateway.GatewayRoute;
import dev.ron.gateway.core.GatewayRouteTable;
import dev.ron.gateway.route.CurrentRouting;
import dev.ron.gateway.route.RoutingSnapshot;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.field.ProxyFields;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Bearer;
import dev.ron.http.server.guard.CapabilityGuard;
import dev.ron.http.server.guard.CapabilityRates;
import dev.ron.http.server.guard.CapabilityTerms;
import dev.ron.http.server.guard.QuotaBuckets;
import dev.ron.http.server.guard.RefusalLimit;
import dev.ron.http.wire.NormalPath;
import dev.ron.kernel.tenant.TenantFault;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a request must show before it gets a place: a rate, a route, a size, a capability, and the
 * rates that are the tenant's and the capability's own.
 *
 * <p>What costs least comes first. The instance's rate stands before everything, so that a flood of
 * requests that are refused costs no more than one of requests that pass. It is shared by what is
 * known then: by tenant, and of the operator's tokens by token, if it was verified before, by
 * address if there is none or it cannot be ours, else first by address and then, when the token is
 * verified, by tenant.
 *
 * <p>Threading: immutable; called on event loops, its parts are thread-safe.
 *
 * @param verifier null asks for no capability
 */
public record RequestChecks(
    CurrentRouting routings,
    Tenants tenants,
    QuotaBuckets rates,
    ClientAddress clients,
    RefusalLimit refusals,
    @Nullable Verifier verifier,
    CapabilityRates capabilityRates,
    Time time,
    long bodyBytesMax) {
  private static final int TENANT_CHARS_MAX = 64;

  /** More than any chain of proxies that was built on purpose. */
  private static final int HOPS_MAX = 16;

  private static final CapabilityTerms WORDS = CapabilityTerms.ALWAYS;

  /**
   * Where the request goes, and whom it is charged to.
   *
   * @param client its address
   */
  public record CheckedRequest(
      RoutingSnapshot routing, RoutingSnapshot.Line line, Tenant tenant, String client) {
    /** Who it was if it fails: strangers are one tenant, but each speaks for itself. */
    public String witness() {
      return tenant.tenantClass() == TenantClass.ANONYMOUS
          ? Tenants.ANONYMOUS + "/" + client
          : tenant.key();
    }
  }

  /**
   * @param fromMachine whether the peer has shown a certificate of the cluster
   */
  public CheckedRequest check(Exchange exchange, boolean fromMachine) throws Refusal {
    RoutingSnapshot routing = routings.now();
    InstanceRate rate = routing.instanceRate();
    int rps = rate == null ? 0 : rate.perSecond();
    String client = clients.of(exchange.peer(), exchange.headers(), fromMachine);
    Recognition shown = shown(exchange);
    boolean claims = shown instanceof Recognition.Unverified;
    Capability recalled =
        shown instanceof Recognition.Recalled(Capability capability) ? capability : null;
    Tenant known = claims ? anonymous() : tenant(routing, recalled, exchange);
    RefusalLimit.Account account =
        recalled == null
            ? refusals.of(exchange.peer(), claims, rps)
            : refusals.of(recalled.id(), recalled.tenant().orElse(""), rps);
    pace(account.whose(), account.perSecond(), account.rest(), known);
    String asker = asker(recalled, client);
    if (rate != null) {
      share(rate, claims ? rate.verify(client) : rate.pass(known, asker), known);
    }
    try {
      CheckedRequest passed = passed(routing, exchange, client);
      if (rate != null && claims) {
        Bearer bearer = exchange.attachment(Bearer.class);
        asker = asker(bearer == null ? null : bearer.capability(), client);
        share(rate, rate.pass(passed.tenant(), asker), passed.tenant());
      }
      return passed;
    } catch (Refusal refusal) {
      if (!(refusal.fault() instanceof GatewayFault.Quota
          || refusal.fault() instanceof TenantFault)) {
        account.refused();
      } else if (rate != null && !claims) {
        // A tenant beyond its own rate must not use up what all share.
        rate.giveBack(known, asker);
      }
      throw refusal;
    }
  }

  /** Who of the strangers, or of those that hold a token of the operator. */
  private static String asker(@Nullable Capability capability, String client) {
    return capability == null ? client : capability.id().text();
  }

  /** No token is as good as one that cannot be ours: both are a stranger's. */
  private Recognition shown(Exchange exchange) {
    String token = verifier == null ? "" : CapabilityGuard.token(exchange);
    return verifier == null || token.isEmpty()
        ? new Recognition.Worthless()
        : verifier.recognize(token, time.wall());
  }

  private static void share(InstanceRate rate, Duration wait, Tenant tenant) throws Refusal {
    pace("this gateway's clients", rate.perSecond(), wait, tenant);
  }

  private Tenant anonymous() {
    return tenants.of(Tenants.ANONYMOUS, TenantClass.ANONYMOUS);
  }

  private CheckedRequest passed(RoutingSnapshot routing, Exchange exchange, String client)
      throws Refusal {
    requireOneReading(exchange);
    RoutingSnapshot.Line line = line(routing, exchange);
    GatewayRoute route = line.route();
    long bytesMax = route.bodyBytes().bytes() > 0 ? route.bodyBytes().bytes() : bodyBytesMax;
    length(exchange, bytesMax);
    Grant grant = grant(route, exchange);
    if (grant != null && grant.bytesMax().isPresent()) {
      bytesMax = Math.min(bytesMax, grant.bytesMax().getAsLong());
      length(exchange, bytesMax);
    }
    exchange.body().bytesMax(bytesMax);
    Bearer bearer = exchange.attachment(Bearer.class);
    Tenant tenant = tenant(routing, bearer == null ? null : bearer.capability(), exchange);
    rates(routing, tenant, bearer);
    Refusal overLimit = exchange.enter();
    if (overLimit != null) {
      tenant.overQuota();
      throw overLimit;
    }
    return new CheckedRequest(routing, line, tenant, client);
  }

  /** With a capability or without one: elsewhere the path may be one of another route. */
  private static void requireOneReading(Exchange exchange) throws Refusal {
    NormalPath.requireOneReading(exchange.path());
    if (ProxyFields.hops(exchange.headers()) >= HOPS_MAX) {
      throw Refusal.malformed(
          "Via names %d proxies or more: the request goes in a loop".formatted(HOPS_MAX));
    }
  }

  private static void length(Exchange exchange, long bytesMax) throws Refusal {
    if (exchange.head().bodyLength() > bytesMax) {
      throw Refusal.of(new HttpFault.BodyCap(bytesMax));
    }
  }

  private static RoutingSnapshot.Line line(RoutingSnapshot routing, Exchange exchange)
      throws Refusal {
    String host = host(exchange.head().authority());
    return switch (routing.routes().find(host, exchange.path(), exchange.method())) {
      case GatewayRouteTable.Match.Found<RoutingSnapshot.Line>(var line) -> line;
      case GatewayRouteTable.Match.WrongMethod<RoutingSnapshot.Line>(String allowed) ->
          throw Refusal.of(new HttpFault.MethodNotAllowed(allowed));
      case GatewayRouteTable.Match.Nothing<RoutingSnapshot.Line>() ->
          throw Refusal.of(new HttpFault.NotFound("no route has this host and path"));
    };
  }

  private static String host(String authority) {
    int colon = authority.lastIndexOf(':');
    return colon < 0 || authority.endsWith("]") ? authority : authority.substring(0, colon);
  }

  /**
   * A token that is shown is always checked. For a route to a service of Ron the service checks the
   * operation and the path; any other upstream would not, so the method is the operation and the
   * request's path is the path.
   */
  private @Nullable Grant grant(GatewayRoute route, Exchange exchange) throws Refusal {
    String token = CapabilityGuard.token(exchange);
    if (verifier == null || (token.isEmpty() && !route.needsCapability(exchange.method()))) {
      return null;
    }
    long version = verifier.version();
    Capability capability =
        switch (verifier.authenticate(token, time.wall())) {
          case Authentication.Authentic(Capability authentic) -> authentic;
          case Authentication.Refused(CapabilityFault fault) -> throw WORDS.refused(fault);
        };
    new Bearer(verifier, time, token, capability, version, WORDS::refused).admit(exchange);
    long bytes = Math.max(0, exchange.head().bodyLength());
    String op = exchange.method().toLowerCase(Locale.ROOT);
    boolean ownService = !route.service().isEmpty();
    AccessRequest ask =
        AccessRequest.of(ownService ? route.service() : "gateway", op, time.wall())
            .withBytes(bytes);
    AccessDecision verdict =
        ownService
            ? capability.verdictAtDoor(ask)
            : capability.verdict(ask.onPath(exchange.path()));
    return switch (verdict) {
      case AccessDecision.Granted(Grant grant) -> grant;
      case AccessDecision.Refused(CapabilityFault fault) -> throw WORDS.refused(fault);
    };
  }

  private Tenant tenant(
      RoutingSnapshot routing, @Nullable Capability capability, Exchange exchange) {
    if (capability != null && capability.tenant().isPresent()) {
      return tenants.of(capability.tenant().get(), TenantClass.CAPABILITY);
    }
    if (!routing.tenantHeader().isEmpty()) {
      String name = exchange.headers().first(routing.tenantHeader());
      if (name != null && !name.isBlank() && name.length() <= TENANT_CHARS_MAX) {
        return tenants.of(name.strip(), TenantClass.HEADER);
      }
    }
    return capability == null ? anonymous() : tenants.operator();
  }

  private void rates(RoutingSnapshot routing, Tenant tenant, @Nullable Bearer bearer)
      throws Refusal {
    // The narrowest first: a request refused there must not use up what others share.
    CapabilityRates.Excess excess =
        bearer == null ? null : capabilityRates.charge(bearer.capability());
    if (excess != null) {
      pace("this capability", excess.perSecond(), excess.rest(), tenant);
    }
    if (routing.tenantRate() > 0) {
      int rate = routing.tenantRate();
      var key = new QuotaBuckets.Key("tenant", tenant.key(), rate);
      pace("a tenant", rate, rates.waitFor(key), tenant);
    }
  }

  private static void pace(String what, long rate, Duration wait, Tenant tenant) throws Refusal {
    if (!wait.isZero()) {
      tenant.overQuota();
      throw Refusal.of(new GatewayFault.Quota(what, rate, wait, tenant.standing()));
    }
  }
}
