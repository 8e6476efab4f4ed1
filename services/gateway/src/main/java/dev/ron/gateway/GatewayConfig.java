package dev.ron.gateway;

import dev.ron.config.DoorAddress;
import dev.ron.config.Section;
import dev.ron.config.WeakerValues;
import dev.ron.config.value.ByteSize;
import dev.ron.gateway.core.GatewayRouteTable;
import dev.ron.gateway.core.Quanta;
import dev.ron.gateway.core.RequestCost;
import dev.ron.gateway.core.RetryRule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything the gateway can be told.
 *
 * <p>Routes, quanta and rates are live; what the listener was built with waits for a restart. There
 * is no rule between the two kinds, so a reload can take the one and leave the other.
 *
 * <p>Threading: immutable.
 */
public record GatewayConfig(
    DoorAddress address,
    int maxConnections,
    int maxConnectionsPerAddress,
    int loops,
    Duration readTimeout,
    Duration writeTimeout,
    Duration idleTimeout,
    List<String> trustedProxies,
    List<String> hosts,
    int events,
    Bounds limits,
    Drr drr,
    List<GatewayRoute> routes) {
  /**
   * How much is taken.
   *
   * @param rps of the instance; 0 for no cap
   */
  public record Bounds(
      ByteSize bodyBytes, ByteSize decodeBytes, int decodeRatio, int inflight, int rps) {}

  /**
   * How tenants share.
   *
   * @param tenantHeader empty unless the network is closed
   * @param workers 0 for one per core, at most 8
   * @param rateLimitRps requests a second of each tenant; 0 for no cap
   * @param workQueue requests that wait for the scheduler
   * @param schedQueue requests that it chose and that wait for a worker
   */
  public record Drr(
      boolean enabled,
      Quanta quanta,
      String tenantHeader,
      int workers,
      int rateLimitRps,
      int workQueue,
      int schedQueue) {
    private static final int WORKERS_MAX = 8;

    public int workerCount() {
      return workers > 0
          ? workers
          : Math.min(WORKERS_MAX, Runtime.getRuntime().availableProcessors());
    }
  }

  public GatewayConfig {
    trustedProxies = List.copyOf(trustedProxies);
    hosts = List.copyOf(hosts);
    routes = List.copyOf(routes);
    new GatewayRouteTable<>(routes.stream().map(GatewayRoute::rule).toList());
  }

  public static GatewayConfig read(Section section) {
    return read(section, "127.0.0.1:8080", List.of());
  }

  /**
   * @param usual the routes of a gateway that is told none
   */
  public static GatewayConfig read(Section section, String bind, List<GatewayRoute> usual) {
    var config =
        new GatewayConfig(
            DoorAddress.read(section, bind, "HTTP"),
            section
                .key("max_connections", 1024)
                .doc("Open connections; the next gets the place of the longest idle.")
                .hardened(WeakerValues.HIGHER)
                .integer(1, 1 << 20),
            section
                .key("max_connections_per_address", 256)
                .doc("From one address other than loopback, an IPv6 /64 counting as one.")
                .hardened(WeakerValues.HIGHER)
                .integer(1, 1 << 20),
            section
                .key("loops", 0)
                .doc("Event loops; 0 for one per core, at most 8.")
                .integer(0, 64),
            section
                .key("read_timeout", "5s")
                .doc("For a whole head, and between two pieces of a body.")
                .hardened(WeakerValues.HIGHER)
                .duration("10ms", "10m"),
            section
                .key("write_timeout", "5s")
                .doc("Without any progress while a client does not take its answer.")
                .hardened(WeakerValues.HIGHER)
                .duration("10ms", "10m"),
            section
                .key("idle_timeout", "60s")
                .doc("Between two requests, and of a stream or WebSocket on which nothing moves.")
                .duration("10ms", "1h"),
            section
                .key("trusted_proxies", List.of())
                .doc("Addresses or networks whose Forwarded and X-Forwarded-* are believed.")
                .texts(),
            section
                .key("hosts", List.of())
                .doc(
                    "Names it answers to, *.name for all below one; without any, all on a public"
                        + " address, and on loopback its own, those of routes and `node.hosts`.")
                .texts(),
            section
                .key("events", 1024)
                .doc("Events that a slow reader may fall behind before it misses the oldest.")
                .integer(1, 1 << 16),
            limits(section.section("limits")),
            drr(section.section("drr")),
            section
                .key("routes", List.of())
                .doc("What goes where; without any, the services of this node.")
                .live()
                .each(GatewayConfig::route));
    return config.routes.isEmpty() ? config.with(usual) : config;
  }

  private GatewayConfig with(List<GatewayRoute> usual) {
    return new GatewayConfig(
        address,
        maxConnections,
        maxConnectionsPerAddress,
        loops,
        readTimeout,
        writeTimeout,
        idleTimeout,
        trustedProxies,
        hosts,
        events,
        limits,
        drr,
        usual);
  }

  private static Bounds limits(Section section) {
    return new Bounds(
        section
            .key("body_bytes", "1MiB")
            .doc("Largest body on the wire, unless its route says otherwise.")
            .hardened(WeakerValues.HIGHER)
            .size("0B", "1TiB"),
        section
            .key("decode_bytes", "8MiB")
            .doc("Largest body once it is decoded.")
            .hardened(WeakerValues.HIGHER)
            .size("1KiB", "1GiB"),
        section
            .key("decode_ratio", 10)
            .doc("How many times larger a body may become by decoding.")
            .hardened(WeakerValues.HIGHER)
            .integer(1, 1000),
        section
            .key("inflight", 512)
            .doc("Requests that wait or run; the longest line gives up its last for a shorter one.")
            .integer(1, 1 << 16),
        section
            .key("rps", 500)
            .doc("Requests a second of this instance; 0 for no cap.")
            .live()
            .integer(0, 10_000_000));
  }

  private static Drr drr(Section section) {
    return new Drr(
        section
            .key("enabled", true)
            .doc(
                "Shares the places of a route between tenants; otherwise first come, first served.")
            .live()
            .bool(),
        new Quanta(
            section
                .key("default_quantum", 1)
                .doc("What a tenant may spend per round.")
                .live()
                .integer(1, Quanta.MAX),
            section
                .key("tenant_quanta", Map.of())
                .doc("Tenants with another quantum; header/NAME for one that a header names.")
                .live()
                .integerTable(1, Quanta.MAX)),
        section
            .key("tenant_header", "")
            .doc("For closed networks: the header that names a tenant who shows no capability.")
            .live()
            .text(),
        section
            .key("workers", 0)
            .doc("Workers that start what the scheduler chose; 0 for one per core, at most 8.")
            .integer(0, 64),
        section
            .key("rate_limit_rps", 0)
            .doc("Requests a second of each tenant; 0 for no cap.")
            .live()
            .integer(0, 10_000_000),
        section
            .key("work_queue", 512)
            .doc("Requests that wait for the scheduler; the next gets 429.")
            .integer(1, 1 << 16),
        section
            .key("sched_queue", 512)
            .doc("Requests it chose that wait for a worker; the oldest gives way and gets 503.")
            .integer(1, 1 << 16));
  }

  private static GatewayRoute route(Section section) {
    return new GatewayRoute(
        section.required("prefix", "/api").doc("The beginning of the paths it takes.").text(),
        section.key("host", "").doc("A name, or *. and a name; empty for any.").text(),
        Set.copyOf(
            section.key("methods", List.of()).doc("The methods it takes; none for all.").texts()),
        section
            .required("upstreams", List.of("http://127.0.0.1:9000"))
            .doc("The pool: http, https or h2c addresses without a path.")
            .texts(),
        section
            .key("service", "")
            .doc("A service of Ron behind it, which checks the rest of a capability itself.")
            .text(),
        section.key("strip_prefix", false).doc("Forwards the path without the prefix.").bool(),
        section.key("preserve_host", false).doc("Forwards the Host the client sent.").bool(),
        section
            .key("auth", "mutations")
            .doc("Which requests need a capability.")
            .choice(GatewayRoute.Auth.values()),
        section
            .key("class", "auto")
            .doc("Whether its requests are shed as writes; auto goes by the method.")
            .choice(GatewayRoute.Kind.values()),
        section
            .key("timeout", "5s")
            .doc("Until the head of the answer; after that it must keep moving.")
            .duration("10ms", "1h"),
        section
            .key("body_bytes", "0B")
            .doc("Largest body on the wire; 0B for the gateway's.")
            .size("0B", "1TiB"),
        new RetryRule(
            section
                .key("retries", RetryRule.RETRIES_MAX)
                .doc("More tries of a request that may be repeated.")
                .integer(0, RetryRule.RETRIES_MAX)),
        section
            .key("max_concurrent", 128)
            .doc("Places toward this pool: what tenants share.")
            .integer(1, 4096),
        section.key("cost", 1).doc("What a request is charged.").integer(1, RequestCost.ROUTE_MAX),
        section
            .key("health", "")
            .doc("A path that is asked every second; empty asks only an upstream that failed.")
            .text());
  }
}
