package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.caveat.Caveat;
import dev.ron.client.StorageClient;
import dev.ron.http.Headers;
import dev.ron.kernel.time.SystemTime;
import dev.ron.node.cli.CommandClient;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** What tenants used of a running node, as its commands show it. */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_OUT)
class UsageCommandTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path data;

  private static Said usage(RunningNode node, String token, String... words) {
    var all = new ArrayList<>(List.of("usage"));
    all.addAll(List.of(words));
    all.addAll(List.of("--url", node.admin(), "--cap", token));
    return Said.by(all.toArray(String[]::new));
  }

  private static Said awaited(RunningNode node, String token, String wanted, String... words)
      throws InterruptedException {
    var time = new SystemTime();
    Instant end = time.now().plus(PATIENCE);
    Said said = usage(node, token, words);
    while (!said.out().contains(wanted) && time.now().isBefore(end)) {
      time.sleepUntil(time.now().plus(Duration.ofMillis(100)));
      said = usage(node, token, words);
    }
    assertThat(said.out()).as(said.err()).contains(wanted);
    return said;
  }

  private static void put(RunningNode node, String tenant, int count) throws Exception {
    String token = node.keys().mint(List.of(new Caveat.Tenant(tenant)));
    try (var client =
        new StorageClient(CommandClient.scope(), URI.create(node.url("storage")), token)) {
      for (int i = 0; i < count; i++) {
        client.put((tenant + i).getBytes(UTF_8));
      }
    }
  }

  @Test
  void usageIsShownSealedAndVerified() throws Exception {
    try (RunningNode node =
        RunningNode.start(data, Map.of("node.services", "storage", "usage.seal", "1s"))) {
      String operator = node.keys().adminToken();
      put(node, "acme", 3);
      put(node, "evil", 2);
      awaited(
          node,
          operator,
          "{\"tenant\":\"acme\",\"metric\":\"storage.requests\",\"units\":\"3\"}",
          "--json");
      Said table = awaited(node, operator, "evil", "--since", "1h");
      assertThat(table.out()).contains("TENANT", "METRIC", "UNITS", "storage.bytes_in");
      String own = node.keys().mint(List.of(new Caveat.Tenant("acme")));
      Said mine = usage(node, own, "--json");
      assertThat(mine.out()).as(mine.err()).contains("acme").doesNotContain("evil");
      assertThat(usage(node, own, "--tenant", "evil").exit()).isEqualTo(1);
      assertThat(usage(node, own, "seals").exit()).isEqualTo(1);
      assertThat(usage(node, "", "--json").exit()).isEqualTo(1);
      awaited(node, operator, "b3:", "seals");
      Said right = usage(node, operator, "verify", "--storage", node.url("storage"));
      assertThat(right.exit()).as(right.out() + right.err()).isZero();
      assertThat(right.out()).contains("all right");
      put(node, "acme", 1);
      awaited(node, operator, " 2  20", "seals");
      tamper();
      Said wrong = usage(node, operator, "verify", "--storage", node.url("storage"));
      assertThat(wrong.exit()).isEqualTo(1);
      assertThat(wrong.err()).contains("seal 1: the signature does not fit");
      damageIsNamed(node, operator);
      Files.delete(data.resolve("usage/spans/000000000001.seal"));
    }
    try (RunningNode node = RunningNode.start(data, Map.of("node.services", "storage"))) {
      Said cut = usage(node, node.keys().adminToken(), "verify", "--storage", node.url("storage"));
      assertThat(cut.exit()).isEqualTo(1);
      assertThat(cut.err()).contains("the seals before number 2 are missing");
    }
  }

  /** A file that is no seal, and none that can be made again, is named and hinders nothing else. */
  private void damageIsNamed(RunningNode node, String operator) throws Exception {
    Files.write(data.resolve("usage/spans/000000000001.seal"), new byte[] {(byte) 0xff, '"', 7});
    Said damaged = usage(node, operator, "verify", "--storage", node.url("storage"));
    assertThat(damaged.exit()).isEqualTo(1);
    assertThat(damaged.err()).contains("seal 1: 000000000001.seal is damaged");
    assertThat(usage(node, operator, "seals").out()).contains("000000000001.seal is damaged");
    Said rest = usage(node, operator);
    assertThat(rest.exit()).as(rest.err()).isZero();
    assertThat(rest.err()).contains("not counted: span 1, 000000000001.span");
    try (var admin = CommandClient.to("admin", node.admin(), "")) {
      byte[] ready = admin.bytes("GET", "/readyz", new Headers(1), new byte[0], PATIENCE);
      assertThat(new String(ready, UTF_8)).contains("\"ready\":true", "000000000001.span");
    }
  }

  /**
   * One count more than was signed, spelled as seals are; and the span is gone from which the node
   * would make the seal again.
   */
  private void tamper() throws Exception {
    Files.writeString(data.resolve("usage/spans/000000000001.span"), "{}");
    Path seal = data.resolve("usage/spans/000000000001.seal");
    String text = Files.readString(seal);
    String other = text.replaceFirst("\"storage.requests\":\"", "\"storage.requests\":\"9");
    assertThat(other).isNotEqualTo(text);
    Files.writeString(seal, other);
  }

  @Test
  void aRepeatedSendCountsOnce() throws Exception {
    try (RunningNode node = RunningNode.start(data, Map.of("node.services", "mailbox"))) {
      String token = node.keys().mint(List.of(new Caveat.Tenant("acme")));
      byte[] form =
          "{\"topic\":\"t\",\"idem_key\":\"k\",\"payload_b64\":\"aGVsbG8=\"}".getBytes(UTF_8);
      Headers json = Headers.of("Content-Type", "application/json");
      try (var client = CommandClient.to("mailbox", node.url("mailbox"), token)) {
        for (int i = 0; i < 3; i++) {
          var _ = client.bytes("POST", "/v1/send", json, form, PATIENCE);
        }
      }
      String operator = node.keys().adminToken();
      Said said = awaited(node, operator, "\"mailbox.requests\",\"units\":\"3\"", "--json");
      assertThat(said.out())
          .contains("\"mailbox.messages_sent\",\"units\":\"1\"")
          .contains("\"mailbox.message_bytes\",\"units\":\"5\"");
    }
  }

  @Test
  void aDrainKeepsTheLastCounts() throws Exception {
    var settings = Map.of("node.services", "storage");
    try (RunningNode node = RunningNode.start(data, settings)) {
      put(node, "acme", 5);
    }
    try (RunningNode node = RunningNode.start(data, settings)) {
      Said said = usage(node, node.keys().adminToken(), "--json", "--tenant", "acme");
      assertThat(said.out()).contains("\"storage.requests\",\"units\":\"5\"");
    }
  }
}
