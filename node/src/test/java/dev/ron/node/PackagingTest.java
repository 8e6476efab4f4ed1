package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes with the program: configurations load, units parse, and every metric named exists. */
@Timeout(120)
class PackagingTest {
  private static final Path FOLDER = Path.of(System.getProperty("ron.root", "."), "packaging");
  private static final Pattern NAME = Pattern.compile("\\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\\b");
  private static final Set<String> FUNCTIONS = Set.of("histogram_quantile");

  @TempDir private Path data;

  @ParameterizedTest
  @ValueSource(strings = {"micronode.toml", "macronode.toml", "container.toml"})
  void aSampleConfigurationLoads(String file) {
    NodeSettings settings =
        NodeSettings.load(Map.of(), Map.of(), Optional.of(FOLDER.resolve(file)));
    assertThat(settings.services()).isNotEmpty();
  }

  @Test
  void everyMetricOfAlertsAndDashboardExists() throws Exception {
    Set<String> known = known();
    for (String file : List.of("alerts.yml", "grafana.json")) {
      var expressions =
          Pattern.compile("expr\"?: \"?(.+?)(?:\",?)?\\n")
              .matcher(Files.readString(FOLDER.resolve(file)))
              .results()
              .map(match -> match.group(1))
              .toList();
      assertThat(expressions).as(file).hasSizeGreaterThan(8);
      for (String expression : expressions) {
        assertThat(known).as("%s: %s", file, expression).containsAll(metricsOf(expression));
      }
    }
  }

  @Test
  void everyAlertIsExplained() throws Exception {
    String page = Files.readString(FOLDER.resolveSibling("docs").resolve("operations.md"));
    List<String> alerts =
        Pattern.compile("- alert: (\\w+)\\n")
            .matcher(Files.readString(FOLDER.resolve("alerts.yml")))
            .results()
            .map(match -> match.group(1))
            .toList();
    assertThat(alerts).hasSizeGreaterThan(20).doesNotHaveDuplicates();
    assertThat(alerts).allSatisfy(alert -> assertThat(page).contains("| `" + alert + "` | "));
  }

  @Test
  void theServiceUnitIsOneThatSystemdTakes() throws Exception {
    Path unit = FOLDER.resolve("ron.service");
    assertThat(Files.readString(unit))
        .contains("ExecStart=/opt/ron/ron up", "NoNewPrivileges=yes", "ProtectSystem=strict");
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/systemd-analyze")),
        "NOT RUN: systemd-analyze is not installed, so the unit was not verified by it");
    // The program need not be installed where the unit expects it: only that complaint is allowed.
    Process process =
        new ProcessBuilder("systemd-analyze", "verify", unit.toAbsolutePath().toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(said.lines().filter(line -> line.contains("ron.service")))
        .allMatch(line -> line.contains("/opt/ron/ron"));
  }

  private Set<String> known() throws Exception {
    var names = new HashSet<>(Set.of("up"));
    var traces = Map.of("traces.endpoint", "http://127.0.0.1:9/v1/traces");
    try (RunningNode node = RunningNode.start(data, traces)) {
      for (var scope : node.node().scopes()) {
        for (String name : scope.metrics().names()) {
          names.addAll(List.of(name, name + "_bucket", name + "_count", name + "_sum"));
        }
      }
    }
    return names;
  }

  /** Words of an expression that are neither a function nor inside braces or quotes. */
  private static Set<String> metricsOf(String expression) {
    var found = new HashSet<String>();
    String bare = expression.replaceAll("\\{[^}]*}|\\\\?\"[^\"]*\"", "");
    NAME.matcher(bare).results().forEach(match -> found.add(match.group()));
    found.removeAll(FUNCTIONS);
    return found;
  }
}
