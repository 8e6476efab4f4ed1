package dev.ron.edge.api;

import dev.ron.capability.AccessDecision;
import dev.ron.capability.Capability;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.capability.caveat.Owner;
import dev.ron.edge.EdgeFault;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Bearer;
import dev.ron.http.server.guard.CapabilityGuard;
import dev.ron.http.server.guard.CapabilityTerms;
import dev.ron.http.server.guard.Guard;
import dev.ron.kernel.Scope;
import dev.ron.kernel.time.Time;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a request's capability lets it read.
 *
 * <p>A capability comes as a bearer token or, for map clients that cannot set a header, as the
 * query parameter {@value #PARAM}. Without one everything is open, unless the configuration says
 * otherwise; one that is shown must be good, and the guard at the door sees to that. The routes
 * that know a pack or a tile make the rest of the check with {@link #refusal}.
 *
 * <p>Threading: immutable; the verifier is thread-safe.
 *
 * @param verifier null checks no capability
 */
public record EdgeRights(@Nullable Verifier verifier, boolean required, Time time) {
  /** Removed from the query before a cache key is made of it. */
  public static final String PARAM = "cap";

  private static final String SERVICE = "edge";
  private static final String OP = "get";

  public Guard guard(Scope scope) {
    return verifier == null
        ? Guard.OPEN
        : new CapabilityGuard(scope, verifier, new Terms(required));
  }

  /** Of what every request has; a pack or a tile is known later. */
  private record Terms(boolean required) implements CapabilityTerms {
    @Override
    public boolean needed(Exchange exchange) {
      return required;
    }

    @Override
    public String token(Exchange exchange) {
      return EdgeRights.token(exchange);
    }

    @Override
    public boolean foreign(Exchange exchange) {
      return !required;
    }

    @Override
    public AccessDecision verdict(Capability capability, AccessRequest ask, Exchange exchange) {
      return capability.verdictBeforehand(AccessRequest.of(SERVICE, OP, ask.now()));
    }

    @Override
    public Refusal refused(CapabilityFault fault) {
      return EdgeRights.refused(fault);
    }
  }

  /** An attempt to read, to be narrowed to a path, a pack or a tile. */
  public AccessRequest reading() {
    return AccessRequest.of(SERVICE, OP, time.wall());
  }

  /** Null if the request may do what is asked. */
  public @Nullable Refusal refusal(Exchange exchange, AccessRequest ask) {
    String token = token(exchange);
    if (verifier == null || (token.isEmpty() && !required)) {
      return null;
    }
    Bearer bearer = exchange.attachment(Bearer.class);
    // What the guard took for another server's token is refused here, where none else is asked.
    AccessDecision verdict =
        bearer == null ? verifier.verify(token, ask) : bearer.capability().verdict(ask);
    return verdict instanceof AccessDecision.Refused(CapabilityFault fault) ? refused(fault) : null;
  }

  private static Refusal refused(CapabilityFault fault) {
    return Refusal.of(
        fault.worthless()
            ? new EdgeFault.CapAuth(fault.detail())
            : new EdgeFault.CapScope(fault.detail()));
  }

  /**
   * Null if the request may read from an upstream. A bearer token that is none of Ron's is the
   * upstream's business.
   */
  @Nullable Refusal upstreamRefusal(Exchange exchange) {
    return required || isCapability(exchange)
        ? refusal(exchange, reading().onPath(exchange.path()))
        : null;
  }

  /** Whether what one tenant alone is served is served to this request; to operators all is. */
  boolean reaches(Exchange exchange, Optional<Owner> only) {
    if (verifier == null || only.isEmpty()) {
      return true;
    }
    Bearer bearer = exchange.attachment(Bearer.class);
    Owner caller = bearer == null ? null : Owner.of(bearer.capability().tenant());
    return caller != null && (caller.isOperator() || caller.equals(only.get()));
  }

  /** The request's fields as they may be passed on: a capability of Ron's goes no further. */
  Headers onward(Exchange exchange) {
    Headers headers = exchange.headers().copy();
    return isCapability(exchange) ? headers.remove("Authorization") : headers;
  }

  private static boolean isCapability(Exchange exchange) {
    return exchange.attachment(Bearer.class) != null;
  }

  /** A query without the capability; null if nothing is left. */
  static @Nullable String without(@Nullable String query) {
    if (query == null || !query.contains(PARAM + "=")) {
      return query;
    }
    String rest =
        Arrays.stream(query.split("&", -1))
            .filter(pair -> !pair.startsWith(PARAM + "="))
            .collect(Collectors.joining("&"));
    return rest.isEmpty() ? null : rest;
  }

  /** The header's token, else the query's, else nothing. */
  private static String token(Exchange exchange) {
    String bearer = CapabilityGuard.token(exchange);
    String query = exchange.head().query();
    if (!bearer.isEmpty() || query == null) {
      return bearer;
    }
    for (String pair : query.split("&", -1)) {
      if (pair.startsWith(PARAM + "=")) {
        return pair.substring(PARAM.length() + 1);
      }
    }
    return "";
  }
}
