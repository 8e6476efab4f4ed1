package dev.ron.gateway;

import dev.ron.config.value.ByteSize;
import dev.ron.gateway.core.GatewayRouteTable;
import dev.ron.gateway.core.RequestCost;
import dev.ron.gateway.core.RetryRule;
import dev.ron.http.client.Origin;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * One line of the route table: what it takes, where that goes, and what it may cost.
 *
 * <p>Threading: immutable.
 *
 * @param upstreams empty for a service that is not part of this node
 * @param service the Ron service behind it, or empty; such a service checks a capability's
 *     operation and path by itself
 */
public record GatewayRoute(
    String prefix,
    String host,
    Set<String> methods,
    List<String> upstreams,
    String service,
    boolean stripPrefix,
    boolean preserveHost,
    Auth auth,
    Kind kind,
    Duration timeout,
    ByteSize bodyBytes,
    RetryRule retries,
    int maxConcurrent,
    int cost,
    String health) {
  /** Which requests need a capability. */
  public enum Auth {
    NONE,
    /** Everything but GET, HEAD and OPTIONS. */
    MUTATIONS,
    ALL
  }

  /** What the route's requests are when writes are shed. */
  public enum Kind {
    /** By the method. */
    AUTO,
    READ,
    WRITE
  }

  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

  public GatewayRoute {
    methods = Set.copyOf(methods);
    upstreams = List.copyOf(upstreams);
    for (String upstream : upstreams) {
      origin(upstream);
    }
    if (upstreams.stream().distinct().count() != upstreams.size()) {
      throw new IllegalArgumentException("upstreams of " + prefix + " name one twice");
    }
    if (!health.isEmpty() && !health.startsWith("/")) {
      throw new IllegalArgumentException("health = \"" + health + "\" must begin with a slash");
    }
    if (cost < 1 || cost > RequestCost.ROUTE_MAX) {
      throw new IllegalArgumentException("cost = " + cost);
    }
  }

  /** A service of this node under its own prefix; it checks capabilities itself. */
  public static GatewayRoute to(String prefix, String service, List<String> upstreams) {
    return new GatewayRoute(
        prefix,
        "",
        Set.of(),
        upstreams,
        service,
        false,
        false,
        Auth.MUTATIONS,
        Kind.AUTO,
        Duration.ofSeconds(60),
        ByteSize.ZERO,
        new RetryRule(RetryRule.RETRIES_MAX),
        128,
        1,
        "");
  }

  public GatewayRouteTable.Rule<GatewayRoute> rule() {
    return new GatewayRouteTable.Rule<>(host, prefix, methods, this);
  }

  /** How it is called in metrics, logs and faults. */
  public String name() {
    return host + prefix;
  }

  public boolean needsCapability(String method) {
    return switch (auth) {
      case NONE -> false;
      case MUTATIONS -> !READING.contains(method);
      case ALL -> true;
    };
  }

  public boolean isWrite(String method) {
    return switch (kind) {
      case AUTO -> !READING.contains(method);
      case READ -> false;
      case WRITE -> true;
    };
  }

  static Origin origin(String upstream) {
    try {
      URI uri = new URI(upstream);
      if (uri.getRawQuery() != null
          || uri.getRawFragment() != null
          || !(uri.getRawPath() == null || uri.getRawPath().isEmpty())) {
        throw new IllegalArgumentException("it has a path");
      }
      return Origin.of(uri);
    } catch (java.net.URISyntaxException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "upstream \"%s\" is not an address such as http://127.0.0.1:9000: %s"
              .formatted(upstream, e.getMessage()),
          e);
    }
  }

  public List<Origin> origins() {
    return upstreams.stream().map(GatewayRoute::origin).toList();
  }
}
