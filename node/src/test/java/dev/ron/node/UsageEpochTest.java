package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.CheckResult;
import dev.ron.capability.caveat.Caveat;
import dev.ron.client.StorageClient;
import dev.ron.http.Headers;
import dev.ron.http.json.JsonTree;
import dev.ron.kernel.time.SystemTime;
import dev.ron.node.cli.CommandClient;
import dev.ron.node.usage.SealSelection;
import dev.ron.usage.Seal;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** What two nodes sealed becomes one epoch, and the same one elsewhere. */
@Timeout(180)
@ResourceLock(Resources.SYSTEM_OUT)
class UsageEpochTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A span is cut each second; a busy machine is late. */
  private static final Duration CUTS = Duration.ofSeconds(5);

  private static final String POLICY =
      """
      {"id":"usage","version":1,"weights_ppm":{"mailbox.messages_sent":1000000},\
      "rounding":"largest-remainder","min_payout_minor":"0","on_bad_line":"refuse"}\
      """;

  @TempDir private Path data;

  private static RunningNode start(Path folder, Map<String, String> more) throws Exception {
    var settings = new HashMap<>(more);
    settings.put("usage.seal", "1s");
    settings.put("rewarder.require_signed_policy", "false");
    return RunningNode.start(folder, settings);
  }

  private static void send(RunningNode node, String tenant, int count) throws Exception {
    String token = node.keys().mint(List.of(new Caveat.Tenant(tenant)));
    Headers json = Headers.of("Content-Type", "application/json");
    try (var client = CommandClient.to("mailbox", node.url("mailbox"), token)) {
      for (int i = 0; i < count; i++) {
        String form =
            "{\"topic\":\"t\",\"idem_key\":\"k%d\",\"payload_b64\":\"aGVsbG8=\"}".formatted(i);
        var _ = client.bytes("POST", "/v1/send", json, form.getBytes(UTF_8), PATIENCE);
      }
    }
  }

  private static StorageClient storage(RunningNode node) throws Exception {
    return new StorageClient(
        CommandClient.scope(), URI.create(node.url("storage")), node.keys().adminToken());
  }

  private static String put(RunningNode node, String text) throws Exception {
    try (StorageClient client = storage(node)) {
      return client.put(text.getBytes(UTF_8)).address();
    }
  }

  /** Its inputs come from the storage of another node. */
  private RunningNode rewarder(String folder, RunningNode storage) throws Exception {
    return start(
        data.resolve(folder),
        Map.of(
            "node.services",
            "rewarder",
            "rewarder.storage_url",
            storage.url("storage"),
            "rewarder.storage_cap",
            storage.keys().adminToken()));
  }

  private static Said compute(RunningNode rewarder, RunningNode storage, String... accounting)
      throws Exception {
    var words = new ArrayList<>(List.of("epoch", "compute", "e", "--json"));
    words.addAll(List.of(accounting));
    words.addAll(List.of("--ledger", put(storage, ledger()), "--policy", put(storage, POLICY)));
    words.addAll(List.of("--url", rewarder.url("rewarder"), "--cap", rewarder.keys().adminToken()));
    return Said.by(words.toArray(String[]::new));
  }

  private static String ledger() {
    return "{\"pool_minor\":\"1000\",\"asset\":\"EUR\",\"epoch\":\"e\"}";
  }

  @Test
  void sealsOfTwoNodesAreOneEpochAndTheSameElsewhere() throws Exception {
    try (RunningNode first = start(data.resolve("a"), Map.of("node.services", "storage,mailbox"))) {
      shareKeys("b");
      shareKeys("r");
      try (RunningNode second =
              start(
                  data.resolve("b"),
                  Map.of("node.services", "mailbox", "usage.storage", first.url("storage")));
          RunningNode rewarder = rewarder("r", first)) {
        send(first, "loud", 8);
        send(second, "loud", 1);
        send(second, "quiet", 1);
        Map<?, ?> manifest = awaited(rewarder, first, second);
        assertThat(manifest.get("paid_minor")).isEqualTo("1000");
        Said loud =
            Said.by(
                "epoch",
                "explain",
                "e",
                "loud",
                "--url",
                rewarder.url("rewarder"),
                "--cap",
                first.keys().adminToken());
        assertThat(loud.out()).as(loud.err()).contains("900");
        elsewhere(first, manifest);
      }
    }
  }

  private void shareKeys(String folder) throws Exception {
    Files.createDirectories(data.resolve(folder).resolve("keys"));
    Files.copy(NodeKeys.ring(data.resolve("a")), NodeKeys.ring(data.resolve(folder)));
  }

  /**
   * Computes until what was used is sealed. A seal counts for the span in which it ends, so the
   * span ends some seconds after the next cut of both nodes.
   */
  private static Map<?, ?> awaited(RunningNode rewarder, RunningNode first, RunningNode second)
      throws Exception {
    var time = new SystemTime();
    Instant to = time.wall().plus(CUTS);
    time.sleepUntil(time.now().plus(CUTS).plusMillis(100));
    Instant end = time.now().plus(PATIENCE);
    while (true) {
      Said said =
          compute(
              rewarder,
              first,
              "--usage",
              "--node",
              first.admin(),
              "--node",
              second.admin(),
              "--storage",
              first.url("storage"),
              "--from",
              to.minusSeconds(3600).toString(),
              "--to",
              to.toString());
      if (said.exit() == 0) {
        return JsonTree.object(said.out().getBytes(UTF_8));
      }
      assertThat(said.err()).contains("is not sealed yet");
      assertThat(time.now()).isBefore(end);
      time.sleepUntil(time.now().plusMillis(100));
    }
  }

  /** A node that shares nothing with them has the objects alone. */
  private void elsewhere(RunningNode from, Map<?, ?> manifest) throws Exception {
    try (RunningNode there = start(data.resolve("c"), Map.of("node.services", "storage"));
        RunningNode rewarder = rewarder("d", there);
        StorageClient source = storage(from);
        StorageClient target = storage(there)) {
      List<String> wanted = new ArrayList<>(List.of(String.valueOf(manifest.get("accounting"))));
      ((List<?>) manifest.get("seals")).forEach(seal -> wanted.add(String.valueOf(seal)));
      assertThat(wanted).hasSizeGreaterThan(2);
      for (String each : List.copyOf(wanted)) {
        byte[] bytes = copy(source, target, each);
        if (!each.equals(wanted.getFirst())) {
          copy(source, target, Seal.parse(bytes).accounting().toString());
        }
      }
      Said again = compute(rewarder, there, "--accounting", wanted.getFirst());
      assertThat(again.exit()).as(again.err()).isZero();
      Map<?, ?> same = JsonTree.object(again.out().getBytes(UTF_8));
      assertThat(same.get("root")).isEqualTo(manifest.get("root"));
      assertThat(same.get("commitment")).isEqualTo(manifest.get("commitment"));
    }
  }

  private static byte[] copy(StorageClient source, StorageClient target, String address)
      throws Exception {
    var bytes = new ByteArrayOutputStream();
    if (Address.parse(address) instanceof CheckResult.Good<Address>(Address good)) {
      source.get(good, bytes, StorageClient.Progress.NONE);
      assertThat(target.put(bytes.toByteArray()).address()).isEqualTo(address);
    }
    return bytes.toByteArray();
  }

  @Test
  void anEpochWithTheNameOfAMonthOrADayIsThatSpan() {
    assertThat(SealSelection.spanOf("2026-11").orElseThrow())
        .containsExactly(
            Instant.parse("2026-11-01T00:00:00Z"), Instant.parse("2026-12-01T00:00:00Z"));
    assertThat(SealSelection.spanOf("2026-12-31").orElseThrow())
        .containsExactly(
            Instant.parse("2026-12-31T00:00:00Z"), Instant.parse("2027-01-01T00:00:00Z"));
    assertThat(SealSelection.spanOf("november")).isEmpty();
    Said open =
        Said.by("epoch", "compute", "2999-11", "--usage", "--ledger", "b3:", "--policy", "b3:");
    assertThat(open.exit()).isNotZero();
    assertThat(open.err()).contains("which is not over");
    Said nameless =
        Said.by("epoch", "compute", "november", "--usage", "--ledger", "b3:", "--policy", "b3:");
    assertThat(nameless.err()).contains("name --from and --to");
  }
}
