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

/** The mailbox's commands against a running node. */
@Timeout(60)
@ResourceLock(Resources.SYSTEM_OUT)
class MailboxCommandsTest {
  @TempDir private Path data;

  @Test
  void aMessageIsSentReceivedAndAcknowledgedFromTheCommandLine() throws Exception {
    try (RunningNode node = RunningNode.start(data, Map.of("node.services", "mailbox"))) {
      NodeKeys keys = node.keys();
      String url = node.url("mailbox");
      Path payload = Files.writeString(data.resolve("payload"), "hello");
      String sent =
          ron(url, keys.adminToken(), "send", "orders", "--key", "1", "--file", payload.toString());
      assertThat(sent).startsWith("0 {\"msg_id\":").contains("\"duplicate\":false");
      String received = ron(url, keys.adminToken(), "recv", "orders", "--wait-ms", "1000");
      assertThat(received).startsWith("0 ").contains("\"payload_b64\":\"aGVsbG8=\"");
      assertThat(ron(url, keys.adminToken(), "topics")).contains("\"in_flight\":1");
      assertThat(ron(url, "", "ack", field(received, "msg_id"))).startsWith("1 ");
      assertThat(
              ron(
                  url,
                  keys.adminToken(),
                  "ack",
                  field(received, "msg_id"),
                  "--receipt",
                  field(received, "receipt")))
          .isEqualTo("0 {\"ok\":true}\n");
      assertThat(ron(url, keys.adminToken(), "dlq", "list")).isEqualTo("0 {\"messages\":[]}\n");
    }
  }

  @Test
  void aMessageThatIsGivenBackComesAgainAndIsDeadInTheEnd() throws Exception {
    var settings = Map.of("node.services", "mailbox", "mailbox.max_attempts", "2");
    try (RunningNode node = RunningNode.start(data, settings)) {
      String cap = node.keys().adminToken();
      String url = node.url("mailbox");
      Path payload = Files.writeString(data.resolve("payload"), "hello");
      ron(url, cap, "send", "orders", "--key", "1", "--file", payload.toString());
      String first = ron(url, cap, "recv", "orders", "--wait-ms", "1000");
      String id = field(first, "msg_id");
      assertThat(ron(url, cap, "nack", id, "--receipt", "0000000000000000"))
          .as("somebody else's receipt")
          .startsWith("1 ");
      assertThat(
              ron(
                  url,
                  cap,
                  "nack",
                  id,
                  "--receipt",
                  field(first, "receipt"),
                  "--reason",
                  "out of \"paper\"",
                  "--delay-ms",
                  "0"))
          .isEqualTo("0 {\"ok\":true}\n");
      String second = ron(url, cap, "recv", "orders", "--wait-ms", "1000");
      assertThat(second).contains("\"msg_id\":\"" + id + "\"").contains("\"attempt\":2");
      assertThat(ron(url, cap, "nack", id, "--receipt", field(second, "receipt"), "--reason", "no"))
          .isEqualTo("0 {\"ok\":true}\n");
      assertThat(ron(url, cap, "dlq", "list")).contains(id).contains("\"reason\":\"max-attempts\"");
      assertThat(ron(url, cap, "nack", id)).as("a dead letter is not in flight").startsWith("1 ");
    }
  }

  private static String field(String json, String name) {
    return json.replaceAll("(?s).*\"" + name + "\":\"([^\"]+)\".*", "$1");
  }

  /** The exit code, a space, and what was said. */
  private static String ron(String url, String token, String... args) {
    var all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--url", url, "--cap", token));
    Said said = Said.by(all.toArray(String[]::new));
    return said.exit() + " " + said.out();
  }
}
