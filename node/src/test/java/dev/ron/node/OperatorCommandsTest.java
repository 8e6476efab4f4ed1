package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** What an operator asks of a machine and of a running node. */
@Timeout(60)
@ResourceLock(Resources.SYSTEM_OUT)
class OperatorCommandsTest {
  @TempDir private Path data;

  @Test
  void topShowsARunningNode() throws Exception {
    try (RunningNode node = RunningNode.start(data, Map.of("node.services", "mailbox"))) {
      Said said = Said.by("top", "--url", node.admin(), "--json");
      assertThat(said.exit()).as(said.err()).isZero();
      assertThat(said.out()).startsWith("{\"services\":[{\"service\":\"mailbox\",\"ready\":true,");
    }
  }

  @Test
  void topSaysWhatToDoWhenNothingRuns() {
    Said said = Said.by("top", "--url", "http://127.0.0.1:1");
    assertThat(said.exit()).isEqualTo(1);
    assertThat(said.err())
        .isEqualTo(
            "ron: nothing answers at http://127.0.0.1:1; start a node with `ron up`,"
                + " or name its admin door with --url\n");
  }

  @Test
  void doctorFindsAPortThatIsTaken() throws Exception {
    try (RunningNode node = RunningNode.start(data, Map.of("node.services", "mailbox"))) {
      int base = Integer.parseInt(node.admin().replaceAll(".*:", "")) - AdminConfig.PORT_OFFSET;
      Said said = doctor(data, base);
      assertThat(said.exit()).isEqualTo(1);
      assertThat(said.out())
          .containsPattern("bad +ports +\\[%d]".formatted(base + AdminConfig.PORT_OFFSET))
          .contains("--base-port N");
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

  @Test
  void doctorSaysThatAFolderCannotBeWritten() throws Exception {
    Path file = Files.writeString(data.resolve("file"), "in the way");
    Said said = doctor(file.resolve("below"), 0);
    assertThat(said.exit()).isEqualTo(1);
    assertThat(said.out()).containsPattern("bad +data ").contains("--data FOLDER");
  }

  private static Said doctor(Path folder, int basePort) {
    return Said.by(
        "doctor", "--data", folder.toString(), "--base-port", Integer.toString(basePort));
  }
}
