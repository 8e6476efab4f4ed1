package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.ChildJvm;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator asks of a machine and of a running node. */
@Timeout(60)
@ResourceLock(Resources.SYSTEM_OUT)
class OperatorCommandsTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path data;

  @Test
  void topShowsARunningNode() throws Exception {
    try (RunningNode node = RunningNode.start(data, Map.of("node.services", "mailbox"))) {
      Said said = Said.by("top", "--url", node.admin(), "--json");
      assertThat(said.exit()).as(said.err()).isZero();
      assertThat(said.out()).startsWith("{\"services\":[{\"service\":\"mailbox\",\"ready\":true,");
    }
  }

  /** The older name is taken too. */
  @ParameterizedTest
  @ValueSource(strings = {"--admin", "--url"})
  void topSaysWhatToDoWhenNothingRuns(String option) {
    Said said = Said.by("top", option, "http://127.0.0.1:1");
    assertThat(said.exit()).isEqualTo(1);
    assertThat(said.err())
        .isEqualTo(
            "ron: no node answers at http://127.0.0.1:1; start one with `ron up`,"
                + " or name its admin door with --admin\n");
  }

  @Test
  void reloadHandsOutWhatIsLiveAndTellsOfTheRest() throws Exception {
    Path file = data.resolve("ron.toml");
    Files.writeString(file, "[node]\nservices = [\"mailbox\"]\ndrain = \"2s\"\n");
    try (RunningNode node = RunningNode.start(data, Map.of(), file)) {
      Files.writeString(file, "[node]\nservices = [\"mailbox\"]\ndrain = \"4s\"\n");
      Said said = asked(node, node.keys().adminToken(), "reload");
      assertThat(said.exit()).as(said.err()).isZero();
      assertThat(said.out())
          .startsWith("reload: 0 changed, 1 need a restart")
          .contains("needs restart node.drain: \"2s\" -> \"4s\"");
      Files.writeString(file, "[node]\ndrian = \"4s\"\n");
      Said refused = asked(node, node.keys().adminToken(), "reload");
      assertThat(refused.exit()).isEqualTo(1);
      assertThat(refused.err()).startsWith("reload refused, nothing changed:").contains("drian");
      HttpResponse<String> told = post(node, "/reload");
      assertThat(told.statusCode()).isEqualTo(409);
      assertThat(told.body())
          .as("the dashboard shows these two of each refusal")
          .contains("\"code\":\"reload-refused\"", "\"detail\":\"reload refused, nothing changed:")
          .contains("\"report\":");
    }
  }

  private static HttpResponse<String> post(RunningNode node, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(node.admin() + path))
              .header("Authorization", "Bearer " + node.keys().adminToken())
              .POST(HttpRequest.BodyPublishers.noBody())
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void logsGoOnWhenTheNodeHasStartedAgain() throws Exception {
    int port;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Map<String, String> settings =
        Map.of("node.services", "mailbox", "admin.bind", "127.0.0.1:" + port);
    ChildJvm logs;
    try (RunningNode node = RunningNode.start(data, settings)) {
      String token = node.keys().adminToken();
      for (int i = 0; i < 20; i++) {
        asked(node, token, "reload");
      }
      logs = ChildJvm.start(Ron.class, "logs", "-f", "--url", node.admin(), "--cap", token);
      for (int reloads = 0; reloads < 20; ) {
        String line = logs.line(LIMIT);
        assertThat(line).isNotNull();
        reloads += line.contains(" reload ") ? 1 : 0;
      }
    }
    try (logs;
        RunningNode node = RunningNode.start(data, settings)) {
      asked(node, node.keys().adminToken(), "reload");
      String line = logs.line(LIMIT);
      while (line != null && !line.contains(" reload ")) {
        line = logs.line(LIMIT);
      }
      assertThat(line).contains("report=reload: ");
    }
  }

  @Test
  void logsShowsWhatTheNodeWrote() throws Exception {
    try (RunningNode node = RunningNode.start(data, Map.of("node.services", "mailbox"))) {
      String token = node.keys().adminToken();
      asked(node, token, "reload");
      Said said = asked(node, token, "logs", "--service", "node");
      assertThat(said.exit()).as(said.err()).isZero();
      assertThat(said.out())
          .contains("INFO  node     reload refused=false report=reload: 0 changed");
      assertThat(asked(node, token, "logs", "--level", "ERROR").out()).isEmpty();
      assertThat(asked(node, token, "logs", "--json").out())
          .contains("\"service\":\"node\",\"event\":\"reload\",\"refused\":\"false\"");
    }
  }

  /** The log tells what all tenants do, and settings are not theirs to change. */
  @ParameterizedTest
  @ValueSource(strings = {"reload", "logs"})
  void onlyAnOperatorMay(String command) throws Exception {
    try (RunningNode node = RunningNode.start(data, Map.of("node.services", "mailbox"))) {
      Said none = asked(node, "", command);
      assertThat(none.err()).as(none.out() + none.exit()).contains("capability");
      String tenants =
          Said.by("cap", "mint", "--data", data.toString(), "--tenant", "acme").out().strip();
      Said refused = asked(node, tenants, command);
      assertThat(refused.exit()).isEqualTo(1);
      assertThat(refused.err()).contains("tenant = acme");
      String mailboxs =
          Said.by("cap", "mint", "--data", data.toString(), "--service", "mailbox").out().strip();
      assertThat(asked(node, mailboxs, command).err()).contains("service = mailbox");
    }
  }

  private static Said asked(RunningNode node, String token, String... command) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of("--url", node.admin(), "--cap", token));
    return Said.by(all.toArray(String[]::new));
  }

  @Test
  void doctorFindsAPortThatIsTaken() throws Exception {
    try (RunningNode node = RunningNode.start(data, Map.of("node.services", "mailbox"))) {
      int base = Integer.parseInt(node.admin().replaceAll(".*:", "")) - AdminConfig.PORT_OFFSET;
      Said said = doctor(data, base);
      assertThat(said.exit()).isEqualTo(1);
      assertThat(said.out())
          .containsPattern("bad +ports +\\[[^]]*\\b%d\\b".formatted(base + AdminConfig.PORT_OFFSET))
          .contains("--base-port N");
    }
  }

  @Test
  void doctorTriesTheAddressesOfTheSettingsAndOnlyDoorsThatOpen() throws Exception {
    try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String bind = "storage.s3.bind=127.0.0.1:" + other.getLocalPort();
      Said taken = doctor(data, 0, "--set", bind);
      assertThat(taken.exit()).isEqualTo(1);
      assertThat(taken.out())
          .containsPattern(
              "bad +ports +\\[%d \\(storage.s3.bind: ".formatted(other.getLocalPort()));
      Said closed = doctor(data, 0, "--set", bind, "--set", "node.services=[\"mailbox\"]");
      assertThat(closed.exit()).as(closed.out()).isZero();
      assertThat(closed.out()).containsPattern("good +ports +the system chooses them");
    }
  }

  @Test
  void doctorMeasuresTheDiskAndLeavesNothingBehind() throws Exception {
    Said said = doctor(data, 0);
    assertThat(said.exit()).as(said.out()).isZero();
    assertThat(said.out()).containsPattern("flush +one flush takes \\d+\\.\\d\\d ms");
    try (var files = Files.list(data)) {
      assertThat(files).isEmpty();
    }
  }

  /** A start makes the folder with its owner's rights; one that is there already has others'. */
  @Test
  void doctorMakesNoFolder() throws Exception {
    Said said = doctor(data.resolve("not/yet"), 0);
    assertThat(said.exit()).as(said.out()).isZero();
    assertThat(said.out())
        .containsPattern("data +.*/not/yet, \\d+ MiB free; the first start makes it");
    try (var files = Files.list(data)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void doctorSaysThatAFolderCannotBeWritten() throws Exception {
    Path file = Files.writeString(data.resolve("file"), "in the way");
    Said said = doctor(file.resolve("below"), 0);
    assertThat(said.exit()).isEqualTo(1);
    assertThat(said.out()).containsPattern("bad +data ").contains("--data FOLDER");
  }

  private static Said doctor(Path folder, int basePort, String... more) {
    var all = new ArrayList<>(List.of("doctor", "--data", folder.toString()));
    all.addAll(List.of("--base-port", Integer.toString(basePort)));
    all.addAll(List.of(more));
    return Said.by(all.toArray(String[]::new));
  }
}
