package dev.ron.node.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.node.RunningNode;
import dev.ron.node.Said;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@Timeout(60)
@ResourceLock(Resources.SYSTEM_OUT)
final class StatusCommandTest {
  @TempDir private Path data;

  @Test
  void aNodeThatIsReadyIsWellAndOneThatIsGoneIsNot() throws Exception {
    String admin;
    try (RunningNode node = RunningNode.start(data, Map.of("node.services", "mailbox,storage"))) {
      admin = node.node().adminUrl();
      Said said = Said.by("status", "--url", admin);
      assertThat(said.exit()).as(said.out() + said.err()).isZero();
      assertThat(said.out())
          .containsPattern("mailbox +http://127.0.0.1:\\d+ +yes")
          .containsPattern("s3 +http://127.0.0.1:\\d+ +yes")
          .endsWith("it is well\n");
      assertThat(Said.by("status", "--json", "--url", admin).out())
          .startsWith("{\"well\":true,\"services\":[{\"service\":");
    }
    Said gone = Said.by("status", "--url", admin);
    assertThat(gone.exit()).isEqualTo(1);
    assertThat(gone.err()).contains("no node answers at " + admin);
  }

  @Test
  void whatIsNotReadyIsNamedWithWhatItLacks() {
    StatusCommand.ServiceState sick =
        StatusCommand.of(
            "storage", "http://s", "{\"ready\":false,\"missing\":{\"disk\":\"is full\"}}");
    assertThat(StatusCommand.text(List.of(sick), false, false))
        .contains("storage  http://s  NO     disk: is full")
        .endsWith("it is NOT well: 1 of 1");
    assertThat(StatusCommand.of("a", "b", "nonsense").missing()).isEqualTo("does not answer");
  }
}
