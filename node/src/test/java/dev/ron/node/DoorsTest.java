package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.caveat.Caveat;
import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.Exposition;
import dev.ron.kernel.metric.Metrics;
import dev.ron.testkit.RawClient;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the doors of a whole node tell, and to whom. */
@Timeout(120)
class DoorsTest {
  private static final List<String> SERVICES =
      List.of("gateway", "edge", "mailbox", "storage", "rewarder");

  @TempDir private Path data;

  private static String get(String url, String path, String host, String... fields)
      throws Exception {
    try (var client = new RawClient(URI.create(url).getPort())) {
      String more = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
      return client
          .send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + more + "\r\n")
          .answer();
    }
  }

  private static Stream<String> doors(RunningNode node) {
    return Stream.concat(Stream.of(node.admin()), SERVICES.stream().map(node::url));
  }

  @Test
  void everyDoorOnLoopbackAnswersToItsOwnNamesAlone() throws Exception {
    try (var node = RunningNode.start(data, Map.of("node.hosts", "ron.example"))) {
      for (String door : doors(node).toList()) {
        for (String path : List.of("/healthz", "/registry", "/metrics", "/o", "/nothing")) {
          assertThat(get(door, path, "evil.example")).as(door).contains(" 421 ", "misdirected");
        }
        for (String host : List.of("127.0.0.1", "localhost:1", "[::1]", "ron.example:80")) {
          assertThat(get(door, "/healthz", host)).as(door + " " + host).contains(" 200 ");
        }
      }
    }
  }

  @Test
  void theAdminDoorHasTheMetricsOfAllServicesInOneValidText() throws Exception {
    try (var node = RunningNode.start(data, Map.of())) {
      for (String service : SERVICES) {
        assertThat(get(node.url(service), "/healthz", "localhost")).contains(" 200 ");
      }
      String text = get(node.admin(), "/metrics", "localhost");
      assertThat(text).contains("{service=\"admin\"");
      for (String service : SERVICES) {
        assertThat(text)
            .contains(
                "http_requests_total{service=\"%s\",method=\"GET\",route=\"/healthz\""
                    .formatted(service));
      }
      assertValid(text.substring(text.indexOf("# ")));
    }
  }

  /**
   * Each family once, its samples together behind its TYPE, each sample once and with a service.
   */
  private static void assertValid(String text) {
    String family = "";
    var families = new ArrayList<String>();
    var series = new ArrayList<String>();
    for (String line : text.lines().toList()) {
      if (line.startsWith("# TYPE ")) {
        family = line.split(" ", -1)[2];
        families.add(family);
      } else if (!line.startsWith("#")) {
        assertThat(line).startsWith(family.replaceAll("_total$", "")).contains("{service=\"");
        series.add(line.substring(0, line.lastIndexOf(' ')));
      }
    }
    assertThat(families).doesNotHaveDuplicates().hasSizeGreaterThan(50);
    assertThat(series).doesNotHaveDuplicates();
  }

  @Test
  void theGatewayShowsItsMetricsToTheRightCapabilityAlone() throws Exception {
    try (var node = RunningNode.start(data, Map.of())) {
      String gateway = node.url("gateway");
      String right =
          node.keys()
              .mint(List.of(Caveat.parse("service = gateway"), Caveat.parse("op = metrics")));
      String other =
          node.keys().mint(List.of(Caveat.parse("service = gateway"), Caveat.parse("op = get")));
      for (String path : List.of("/metrics", "/openapi.json")) {
        assertThat(get(gateway, path, "localhost")).contains(" 401 ");
        assertThat(get(gateway, path, "localhost", "Authorization: Bearer " + other))
            .contains(" 403 ");
        assertThat(get(gateway, path, "localhost", "Authorization: Bearer " + right))
            .contains(" 200 ");
      }
      assertThat(get(node.url("mailbox"), "/metrics", "localhost")).contains(" 200 ");
    }
  }

  @Test
  void theCountersCanBeReadWhenTheServicesHaveEnded() throws Exception {
    var services = new LinkedHashMap<String, Metrics>();
    try (var node = RunningNode.start(data, Map.of())) {
      for (String service : SERVICES) {
        get(node.url(service), "/healthz", "localhost");
      }
      for (Scope scope : node.node().urls().keySet()) {
        services.put(scope.service(), scope.metrics());
      }
    }
    String text = Exposition.of(services);
    for (String service : SERVICES) {
      assertThat(text)
          .contains(
              "http_requests_total{service=\"%s\",method=\"GET\",route=\"/healthz\""
                  .formatted(service));
    }
  }
}
