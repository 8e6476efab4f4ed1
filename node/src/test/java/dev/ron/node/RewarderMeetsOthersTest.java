package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.SystemTime;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The rewarder of one node with the storage and the mailbox of another, over HTTP. */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_OUT)
class RewarderMeetsOthersTest {
  private static final int ACTORS = 250;
  private static final Pattern PAYLOAD = Pattern.compile("\"payload_b64\":\"([^\"]+)\"");

  @TempDir private Path data;

  @Test
  void inputsComeFromAStorageAndEachLineIsOneMessage() throws Exception {
    try (RunningNode others =
            RunningNode.start(data.resolve("others"), Map.of("node.services", "mailbox,storage"));
        HttpClient http = HttpClient.newHttpClient()) {
      String token = others.keys().adminToken();
      String body = inputs(others, token);
      try (RunningNode node = rewarder(others, token)) {
        assertThat(compute(http, node, body)).startsWith("200 ").contains("\"lines\":250");
        settlement(http, node, "settled");
      }
      Map<String, BigInteger> paid = receive(http, others, token);
      assertThat(paid).as("one message for each line, each with a key of its own").hasSize(ACTORS);
      assertThat(paid.values().stream().reduce(BigInteger.ZERO, BigInteger::add))
          .isEqualTo(BigInteger.valueOf(1_000_000));

      // Without its outbox it has forgotten that all was sent, and sends all of it again.
      delete(data.resolve("rewarder/rewarder/outbox"));
      try (RunningNode node = rewarder(others, token)) {
        settlement(http, node, "settled");
        assertThat(metric(http, node, "ledger_intents_total{result=\"duplicate\"}"))
            .isEqualTo("250");
      }
      assertThat(receive(http, others, token)).as("the mailbox knows the keys").isEmpty();
    }
  }

  @Test
  void aMailboxThatRefusesStallsTheRun() throws Exception {
    try (RunningNode others =
            RunningNode.start(data.resolve("others"), Map.of("node.services", "mailbox,storage"));
        HttpClient http = HttpClient.newHttpClient()) {
      String token = others.keys().adminToken();
      String body = inputs(others, token);
      try (RunningNode node = rewarder(others, "not-a-token")) {
        assertThat(compute(http, node, body)).startsWith("200 ");
        assertThat(settlement(http, node, "stalled")).contains("the mailbox answered 401");
      }
      assertThat(receive(http, others, token)).isEmpty();
      try (RunningNode node = rewarder(others, token)) {
        settlement(http, node, "settled");
      }
      assertThat(receive(http, others, token)).as("paid at the next start").hasSize(ACTORS);
    }
  }

  /**
   * @param token for the mailbox
   */
  private RunningNode rewarder(RunningNode others, String token) throws Exception {
    var settings = new HashMap<String, String>();
    settings.put("node.services", "rewarder");
    settings.put("rewarder.require_signed_policy", "false");
    settings.put("rewarder.storage_url", others.url("storage"));
    settings.put("rewarder.storage_cap", others.keys().adminToken());
    settings.put("rewarder.ledger.sink", "mailbox");
    settings.put("rewarder.ledger.url", others.url("mailbox"));
    settings.put("rewarder.ledger.cap", token);
    return RunningNode.start(data.resolve("rewarder"), settings);
  }

  /** Puts policy, pool and accounting into the storage; the request that names them. */
  private String inputs(RunningNode others, String token) throws IOException {
    var accounting = new StringBuilder("actor,metric,units\n");
    for (int i = 0; i < ACTORS; i++) {
      accounting.append("did:ron:").append(i).append(",m,").append(i + 1).append('\n');
    }
    return "{\"accounting\":\"%s\",\"ledger\":\"%s\",\"policy\":\"%s\",\"dry_run\":false}"
        .formatted(
            put(others, token, accounting.toString()),
            put(others, token, "{\"pool_minor\":\"1000000\",\"asset\":\"ROC\",\"epoch\":\"e\"}"),
            put(
                others,
                token,
                "{\"id\":\"p\",\"version\":1,\"weights_ppm\":{\"m\":1},\"rounding\":"
                    + "\"largest-remainder\",\"min_payout_minor\":\"0\",\"on_bad_line\":\"refuse\"}"));
  }

  private String put(RunningNode others, String token, String text) throws IOException {
    Path file = Files.writeString(data.resolve("object"), text);
    Said said = Said.by("put", file.toString(), "--url", others.url("storage"), "--cap", token);
    assertThat(said.exit()).as(said.err()).isZero();
    return said.out().substring(0, said.out().indexOf(' '));
  }

  private static String compute(HttpClient http, RunningNode node, String body) throws Exception {
    return send(
        http, node.url("rewarder") + "/rewarder/epochs/e/compute", node.keys().adminToken(), body);
  }

  private static String settlement(HttpClient http, RunningNode node, String state)
      throws Exception {
    var time = new SystemTime();
    var giveUp = time.now().plusSeconds(60);
    while (true) {
      String said =
          get(
              http,
              node.url("rewarder") + "/rewarder/epochs/e/settlement",
              node.keys().adminToken());
      if (said.contains("\"state\":\"" + state + "\"")) {
        return said;
      }
      assertThat(time.now()).as("%s", said).isBefore(giveUp);
      time.sleepUntil(time.now().plusMillis(20));
    }
  }

  private static String metric(HttpClient http, RunningNode node, String name) throws Exception {
    return get(http, node.url("rewarder") + "/metrics", node.keys().adminToken())
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> line.substring(name.length() + 1).replaceAll("\\.0$", ""))
        .findFirst()
        .orElse("none");
  }

  /** All messages that are ready, by key; they stay in flight. */
  private static Map<String, BigInteger> receive(HttpClient http, RunningNode others, String token)
      throws Exception {
    var amounts = new HashMap<String, BigInteger>();
    List<String> payloads;
    do {
      String said =
          send(
              http,
              others.url("mailbox") + "/v1/recv",
              token,
              "{\"topic\":\"settlements\",\"max_messages\":100,\"visibility_ms\":600000}");
      assertThat(said).startsWith("200 ");
      payloads =
          new ArrayList<>(PAYLOAD.matcher(said).results().map(found -> found.group(1)).toList());
      for (String payload : payloads) {
        String intent = new String(Base64.getDecoder().decode(payload), UTF_8);
        BigInteger before =
            amounts.put(field(intent, "key"), new BigInteger(field(intent, "amount_minor")));
        assertThat(before).as("%s twice", intent).isNull();
      }
    } while (!payloads.isEmpty());
    return amounts;
  }

  private static String field(String json, String name) {
    return json.replaceAll("(?s).*\"" + name + "\":\"([^\"]+)\".*", "$1");
  }

  private static String send(HttpClient http, String url, String token, String body)
      throws Exception {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("Prefer", "wait=60")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body();
  }

  private static String get(HttpClient http, String url, String token) throws Exception {
    return http.send(
            HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer " + token)
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static void delete(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
