package dev.ron.edge.api;

import dev.ron.capability.Ask;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.Verdict;
import dev.ron.capability.Verifier;
import dev.ron.edge.EdgeFault;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.CapabilityGuard;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.Guard;
import dev.ron.kernel.time.Time;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a request's capability lets it read.
 *
 * <p>A capability comes as a bearer token or, for map clients that cannot set a header, as the
 * query parameter {@value #PARAM}. Without one everything is open, unless the configuration says
 * otherwise; one that is shown must be good. The routes that know a pack or a tile make the whole
 * check with {@link #refusal}; the guard at the door turns away what shows nothing where something
 * is needed.
 *
 * <p>Threading: immutable; the verifier is thread-safe.
 *
 * @param verifier null lets everybody read everything
 */
public record Rights(@Nullable Verifier verifier, boolean required, Time time) {
  /** Removed from the query before a cache key is made of it. */
  public static final String PARAM = "cap";

  private static final String SERVICE = "edge";

  public Guard guard() {
    return exchange ->
        verifier == null || !required || !token(exchange).isEmpty()
            ? null
            : Problems.refusal(new EdgeFault.CapAuth(new CapabilityFault.Missing().detail()));
  }

  /** An attempt to read, to be narrowed to a path, a pack or a tile. */
  public Ask reading() {
    return Ask.of(SERVICE, "get", time.wall());
  }

  /** Null if the request may do what is asked. */
  public @Nullable Refusal refusal(Exchange exchange, Ask ask) {
    String token = token(exchange);
    if (verifier == null || (token.isEmpty() && !required)) {
      return null;
    }
    return switch (verifier.verify(token, ask)) {
      case Verdict.Granted _ -> null;
      case Verdict.Refused(CapabilityFault fault) ->
          Problems.refusal(
              fault.code().equals("unauth")
                  ? new EdgeFault.CapAuth(fault.detail())
                  : new EdgeFault.CapScope(fault.detail()));
    };
  }

  /**
   * Null if the request may read from an upstream. A bearer token that is none of Ron's is the
   * upstream's business.
   */
  @Nullable Refusal upstreamRefusal(Exchange exchange) {
    if (verifier == null || (!required && token(exchange).isEmpty())) {
      return null;
    }
    if (!required && !isCapability(exchange)) {
      return null;
    }
    return refusal(exchange, reading().onPath(exchange.path()));
  }

  /** The request's fields as they may be passed on: a capability of Ron's goes no further. */
  Headers onward(Exchange exchange) {
    Headers headers = exchange.headers().copy();
    return isCapability(exchange) ? headers.remove("Authorization") : headers;
  }

  private boolean isCapability(Exchange exchange) {
    String token = token(exchange);
    return verifier != null
        && !token.isEmpty()
        && !(verifier.verify(token, reading())
            instanceof Verdict.Refused(CapabilityFault.Malformed _));
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
