package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.config.Settings;
import dev.ron.testkit.SeedRow;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class GatewayConfigTest {
  @Test
  @SeedRow({"G17", "G40", "G83", "G84", "G87"})
  void everyKeyAndEveryDefault() {
    Settings settings = Settings.load(Map.of(), Map.of(), Optional.empty());
    settings.read("gateway", GatewayConfig::read);
    settings.check();
    assertThat(shown(settings))
        .isEqualTo(
            """
            gateway.danger_ok = false
            gateway.bind = "127.0.0.1:8080"
            gateway.tls_certificate = ""
            gateway.tls_key = ""
            gateway.uds = ""
            gateway.uds_uids = ["0"]
            gateway.max_connections = 1024
            gateway.max_connections_per_address = 256
            gateway.loops = 0
            gateway.read_timeout = "5s"
            gateway.write_timeout = "5s"
            gateway.idle_timeout = "1m"
            gateway.trusted_proxies = []
            gateway.hosts = []
            gateway.events = 1024
            gateway.limits.body_bytes = "1MiB"
            gateway.limits.decode_bytes = "8MiB"
            gateway.limits.decode_ratio = 10
            gateway.limits.inflight = 512
            gateway.limits.rps = 500
            gateway.drr.enabled = true
            gateway.drr.default_quantum = 1
            gateway.drr.tenant_quanta = {}
            gateway.drr.tenant_header = ""
            gateway.drr.workers = 0
            gateway.drr.rate_limit_rps = 0
            gateway.drr.work_queue = 512
            gateway.drr.sched_queue = 512
            """);
  }

  @Test
  void everyKeyOfARoute() {
    Settings settings =
        Settings.load(
            Map.of("gateway.routes", "[{prefix=\"/api\",upstreams=[\"http://127.0.0.1:9\"]}]"),
            Map.of(),
            Optional.empty());
    settings.read("gateway", GatewayConfig::read);
    settings.check();
    assertThat(shown(settings).lines().filter(line -> line.contains("routes")))
        .containsExactly(
            "gateway.routes[0].prefix = \"/api\"",
            "gateway.routes[0].host = \"\"",
            "gateway.routes[0].methods = []",
            "gateway.routes[0].upstreams = [\"http://127.0.0.1:9\"]",
            "gateway.routes[0].service = \"\"",
            "gateway.routes[0].strip_prefix = false",
            "gateway.routes[0].preserve_host = false",
            "gateway.routes[0].auth = \"mutations\"",
            "gateway.routes[0].class = \"auto\"",
            "gateway.routes[0].timeout = \"5s\"",
            "gateway.routes[0].body_bytes = \"0B\"",
            "gateway.routes[0].retries = 2",
            "gateway.routes[0].max_concurrent = 128",
            "gateway.routes[0].cost = 1",
            "gateway.routes[0].health = \"\"");
  }

  private static String shown(Settings settings) {
    return settings.catalogue().of("gateway").entries().stream()
        .map(entry -> entry.path() + " = " + entry.text())
        .collect(Collectors.joining("\n", "", "\n"));
  }

  @Test
  void whatCannotBeRightStopsTheStart() {
    refused("prefix = \"api\" must begin with a slash", "routes=[" + Rig.table("api", "", 1) + "]");
    refused("two routes", "routes=[" + Rig.table("/", "", 1) + "," + Rig.table("/", "", 2) + "]");
    refused("it has a path", "routes=[{prefix=\"/\",upstreams=[\"http://a:1/x\"]}]");
    refused("is not an address such as", "routes=[{prefix=\"/\",upstreams=[\"ftp://a\"]}]");
    refused("health = \"x\" must begin", "routes=[" + Rig.table("/", "health=\"x\"", 1) + "]");
    refused("tls_certificate = none and tls_key = true go together", "tls_key=k.pem");
    refused("tenant_quanta", "drr.tenant_quanta={ acme = 0 }");
    refused("danger_ok", "danger_ok=false", "limits.body_bytes=2MiB");
    assertThatThrownBy(() -> Rig.open("trusted_proxies=[\"10.0.0.0/33\"]").close())
        .hasMessageContaining("\"10.0.0.0/33\" is not an address or a network");
  }

  private static void refused(String words, String... settings) {
    assertThatThrownBy(() -> Rig.config(settings)).hasMessageContaining(words);
  }
}
