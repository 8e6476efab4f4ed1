package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.config.Settings;
import dev.ron.edge.core.RequestFields;
import dev.ron.testkit.SeedRow;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EdgeConfigTest {
  @Test
  @SeedRow({"E36", "E37", "E38", "E91", "E92", "E94"})
  void everyKeyAndEveryDefault() {
    Settings settings = Settings.load(Map.of(), Map.of(), Optional.empty());
    settings.read("edge", EdgeConfig::read);
    settings.check();
    assertThat(
            settings.catalogue().of("edge").entries().stream()
                .map(entry -> entry.path() + " = " + entry.text())
                .collect(Collectors.joining("\n", "", "\n")))
        .isEqualTo(
            """
            edge.danger_ok = false
            edge.bind = "127.0.0.1:8081"
            edge.tls_certificate = ""
            edge.tls_key = ""
            edge.uds = ""
            edge.uds_uids = ["0"]
            edge.data = "./data/edge"
            edge.mode = "offline"
            edge.packs = ["./packs"]
            edge.pack_poll = "1s"
            edge.sample = true
            edge.public_url = ""
            edge.amnesia = false
            edge.capability_required = false
            edge.audit = false
            edge.events = 1024
            edge.ingress.max_connections = 1024
            edge.ingress.timeout = "5s"
            edge.ingress.idle_timeout = "1m"
            edge.ingress.max_inflight = 512
            edge.ingress.rps_limit = 500
            edge.ingress.body_bytes = "1MiB"
            edge.ingress.decompress_max_ratio = 10
            edge.ingress.decompress_abs_bytes = "10MiB"
            edge.cache.bytes = "1GiB"
            edge.cache.entries = 1000000
            edge.cache.object_bytes = "256MiB"
            edge.fill.timeout = "5s"
            edge.fill.limit = "5m"
            edge.fill.tries = 3
            edge.fill.retry_base = "50ms"
            edge.fill.retry_max = "800ms"
            edge.fill.jitter = true
            edge.fill.workers = 64
            edge.fill.queue = 512
            edge.fill.under_amnesia = "memory"
            edge.cors.origins = []
            edge.http.multi_range = false
            """);
  }

  @Test
  @SeedRow("E92")
  void relationsAreChecked() {
    refused("cache.object_bytes = 256MiB is more than cache.bytes = 1MiB", "cache.bytes=1MiB");
    refused("fill.timeout = PT5S is more than fill.limit = PT1S", "fill.limit=1s");
    refused("fill.retry_base = PT1S is more than fill.retry_max = PT0.8S", "fill.retry_base=1s");
    refused("fill.timeout", "fill.timeout=6s");
    refused("ingress.timeout", "ingress.timeout=6s");
    refused("ingress.decompress_max_ratio", "ingress.decompress_max_ratio=11");
  }

  private static void refused(String words, String... settings) {
    assertThatThrownBy(() -> Rig.config(Path.of("unused"), List.of(), settings))
        .hasMessageContaining(words);
  }

  @Test
  void anUpstreamIsHttpsUnlessSaidOtherwise() {
    assertThatThrownBy(() -> mount("/a", "http://a.example", false))
        .hasMessage(
            "mounts.upstream = http://a.example is plain HTTP, which needs allow_http = true");
    assertThatThrownBy(() -> mount("/a", "ftp://a.example", true))
        .hasMessageContaining("must be https://host or http://host");
    assertThatThrownBy(() -> mount("/a", "https://user@a.example", true))
        .hasMessageContaining("must name a host, and no user, query or fragment");
    assertThat(mount("/a", "http://a.example", true).origin()).isEqualTo("http://a.example");
  }

  @Test
  void aPrefixSaysWhereAMountIsServed() {
    assertThat(mount("fonts", "https://f.example", false).roots())
        .containsExactly("/edge/assets/fonts/");
    assertThat(mount("/assets/fonts", "https://f.example", false).roots())
        .containsExactly("/assets/fonts/", "/edge/assets/fonts/");
    assertThat(mount("/", "https://f.example", false).roots()).containsExactly("/");
  }

  @Test
  void aTargetIsTheRestOfThePathBelowTheUpstreamsOwn() {
    Mount fonts = mount("/assets/fonts", "https://f.example/v1", false);
    assertThat(fonts.target("/assets/fonts/", "/assets/fonts/a/b.woff2", null))
        .isEqualTo("/v1/a/b.woff2");
    assertThat(fonts.target("/edge/assets/fonts/", "/edge/assets/fonts/a/b.woff2", "x=1"))
        .isEqualTo("/v1/a/b.woff2?x=1");
    assertThat(mount("/", "https://f.example", false).target("/", "/a?", null)).isEqualTo("/a?");
    assertThat(mount("/", "https://f.example", false).target("/", "/", "q")).isEqualTo("/?q");
  }

  @Test
  void linksBeginWhereTheEdgeIsToBeFoundAndNowhereElse() {
    assertThat(Rig.config(Path.of("d"), List.of(), "bind=10.0.0.1:81").linkBase())
        .isEqualTo("http://10.0.0.1:81");
    assertThat(Rig.config(Path.of("d"), List.of(), "bind=0.0.0.0:81").linkBase()).isEmpty();
    assertThat(Rig.config(Path.of("d"), List.of(), "public_url=https://tiles.example").linkBase())
        .isEqualTo("https://tiles.example");
  }

  @Test
  void aMountListsNoFieldThatTheEdgeDecides() {
    for (String name : List.of("Host", "X-Forwarded-Host", "Range", "Connection", "a b")) {
      assertThatThrownBy(() -> fields(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("mounts.request_fields = " + name);
    }
    assertThat(fields("Cookie").hasCookies()).isTrue();
  }

  private static RequestFields fields(String name) {
    Mount bare = mount("/", "https://f.example", false);
    return new Mount(
            bare.prefix(),
            bare.upstream(),
            false,
            false,
            bare.methods(),
            List.of(name),
            List.of(),
            Optional.empty(),
            Optional.empty())
        .fields();
  }

  private static Mount mount(String prefix, String upstream, boolean allowHttp) {
    return new Mount(
        prefix,
        URI.create(upstream),
        allowHttp,
        false,
        Set.of("GET"),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  /** min(800, 50 * 2^n) + U[0, 50] ms, three tries in all, of what the edge asks upstreams by. */
  @ParameterizedTest(name = "before try {0} + 1: {1} to {2} ms")
  @CsvSource({"0, 50, 100", "1, 100, 150", "2, 200, 250", "4, 800, 850", "9, 800, 850"})
  @SeedRow("E42")
  void theWaitBeforeATryIsTheSeeds(int n, long least, long most) {
    Settings settings = Settings.load(Map.of(), Map.of(), Optional.empty());
    var draft = settings.read("edge", EdgeConfig::read);
    settings.check();
    EdgeConfig.Fill fill = draft.value().fill();
    assertThat(fill.tries()).isEqualTo(3);
    var random = new SplittableRandom(n);
    var shortest = Duration.ofMillis(most);
    Duration longest = Duration.ZERO;
    for (int i = 0; i < 1_000; i++) {
      Duration wait = fill.backoff().delay(n, random);
      shortest = wait.compareTo(shortest) < 0 ? wait : shortest;
      longest = wait.compareTo(longest) > 0 ? wait : longest;
    }
    assertThat(shortest).isBetween(Duration.ofMillis(least), Duration.ofMillis(least + 5));
    assertThat(longest).isBetween(Duration.ofMillis(most - 5), Duration.ofMillis(most));
  }
}
