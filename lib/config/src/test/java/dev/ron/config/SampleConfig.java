package dev.ron.config;

import dev.ron.config.value.ByteRate;
import dev.ron.config.value.ByteSize;
import dev.ron.config.value.HostPort;
import dev.ron.config.value.Secret;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A config with a key of every type, read the way the services read theirs. */
public record SampleConfig(
    HostPort bind,
    int shardCount,
    long globalInflight,
    Duration visibilityMin,
    Duration visibilityDefault,
    Flush flush,
    boolean amnesia,
    BigDecimal hedgeBudget,
    ByteRate repairRate,
    Path data,
    Optional<Path> certificate,
    List<String> origins,
    Secret token,
    ByteSize bodyBytes,
    int rps,
    Map<String, Integer> tenantQuanta,
    Map<String, String> peers,
    List<Route> routes) {

  enum Flush {
    ALWAYS,
    INTERVAL
  }

  enum Auth {
    NONE,
    MUTATIONS,
    ALL
  }

  record Route(String prefix, List<String> upstreams, Auth auth, int retries) {
    Route {
      Rule.on("prefix", prefix).require(prefix.startsWith("/"), "prefix must begin with /");
    }

    static Route read(Section section) {
      return new Route(
          section.required("prefix", "/api").doc("Path the route begins with.").text(),
          section
              .required("upstreams", List.of("http://127.0.0.1:9000"))
              .doc("Where its requests go.")
              .texts(),
          section
              .key("auth", "mutations")
              .doc("Which requests need a capability.")
              .hardened(WeakerValues.LOWER)
              .choice(Auth.values()),
          section.key("retries", 2).doc("Tries after the first.").integer(0, 10));
    }
  }

  public SampleConfig {
    Rule.on("visibility_min", visibilityMin)
        .and("visibility_default", visibilityDefault)
        .require(
            visibilityMin.compareTo(visibilityDefault) <= 0,
            "visibility_min must not be longer than visibility_default");
  }

  public static SampleConfig read(Section section) {
    Section limits = section.section("limits");
    return new SampleConfig(
        section.key("bind", "127.0.0.1:8082").doc("Where the HTTP door listens.").address(),
        section.key("shard_count", 8).doc("Shards, each with a loop.").integer(1, 1024),
        section.key("global_inflight", 8192).doc("Messages out at once.").longInteger(1, 1L << 40),
        section.key("visibility_min", "250ms").doc("Shortest timeout.").live().duration(),
        section
            .key("visibility_default", "5s")
            .doc("Timeout if none is given.")
            .live()
            .duration("1ms", "1h"),
        section.key("flush", "always").doc("When to flush.").choice(Flush.values()),
        section.key("amnesia", false).doc("Write nothing to disk.").bool(),
        section.key("hedge_budget", "0.02").doc("Share of hedged reads.").decimal("0", "1"),
        section.key("repair_rate", "50MiB/s").doc("Repair traffic.").live().rate(),
        section.key("data", "./data").doc("Relative to the working directory.").path(),
        section.key("certificate", "").doc("None is cleartext.").pathOrNothing(),
        section.key("origins", List.of()).doc("Origins that may read | write.").live().texts(),
        section.key("token", "").doc("For the upstream.").secret(),
        limits
            .key("body_bytes", "1MiB")
            .doc("Largest body.")
            .hardened(WeakerValues.HIGHER)
            .live()
            .size(),
        limits
            .key("rps", 500)
            .doc("Requests a second.")
            .hardened(WeakerValues.HIGHER_OR_ZERO)
            .live()
            .integer(0, 1_000_000),
        section
            .key("drr.tenant_quanta", Map.of())
            .doc("Share of each tenant.")
            .live()
            .integerTable(1, 1000),
        section.key("peers", Map.of()).doc("Nodes by name.").textTable(),
        section
            .key("routes", List.of())
            .doc("Where requests go, first match first.")
            .live()
            .each(Route::read));
  }
}
