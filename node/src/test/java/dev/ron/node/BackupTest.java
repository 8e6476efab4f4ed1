package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** A copy of a stopped node's folder is a whole backup, as the operations page says. */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_OUT)
class BackupTest {
  @TempDir private Path folder;

  @Test
  void aCopyOfTheFolderHasMessagesObjectsBucketsAndKeys() throws Exception {
    Path text = Files.writeString(folder.resolve("text"), "worth keeping\n");
    String token;
    String address;
    try (RunningNode node = RunningNode.start(folder.resolve("data"), Map.of())) {
      token = node.keys().adminToken();
      ok(node, token, "mailbox", "send", "orders", "--key", "1", "--file", text.toString());
      address = ok(node, token, "storage", "put", text.toString()).split(" ", 2)[0];
      ok(node, token, "s3", "s3", "mb", "s3://photos");
      ok(node, token, "s3", "s3", "cp", text.toString(), "s3://photos/");
    }
    Path restored = folder.resolve("restored");
    Process copy =
        new ProcessBuilder("cp", "-a", folder.resolve("data").toString(), restored.toString())
            .start();
    assertThat(copy.waitFor()).isZero();
    try (RunningNode node = RunningNode.start(restored, Map.of())) {
      assertThat(ok(node, token, "mailbox", "recv", "orders", "--json"))
          .contains("\"idem_key\":\"1\"");
      assertThat(ok(node, token, "storage", "get", address)).isEqualTo("worth keeping\n");
      assertThat(ok(node, token, "s3", "s3", "cp", "s3://photos/text", "-"))
          .isEqualTo("worth keeping\n");
    }
  }

  private static String ok(RunningNode node, String token, String service, String... command) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of("--url", node.url(service), "--cap", token));
    Said said = Said.by(all.toArray(String[]::new));
    assertThat(said.exit()).as(said.err()).isZero();
    return said.out();
  }
}
