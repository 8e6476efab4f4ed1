package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.FreePorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** What an operator does with the commands reaches every door of a running node. */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_OUT)
class TrustReachTest {
  /** Twice what is promised: the machine may be busy with other tests. */
  private static final Duration REFUSED_WITHIN = Duration.ofSeconds(10);

  @TempDir private Path data;

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void aRevokedTokenIsRefusedEverywhereAndEndsItsStreams() throws Exception {
    try (RunningNode node = start()) {
      String token = ron("cap", "mint", "--rate", "1000");
      String other = ron("cap", "mint");
      assertEveryDoor(node, token, 200);
      try (Line direct = stream(node.url("mailbox"), token);
          Line through = stream(node.url("gateway"), token)) {
        ron("cap", "revoke", token);
        awaitRefused(node, token);
        assertThat(direct.last()).contains("\"code\":\"cap-auth\"", "was revoked");
        assertThat(through.last()).contains("\"code\":\"cap-auth\"", "was revoked");
      }
      assertEveryDoor(node, other, 200);
    }
  }

  @Test
  void afterARotationOldTokensHoldForTheGraceAndNoLonger() throws Exception {
    try (RunningNode node = start()) {
      String old = ron("cap", "mint");
      assertThat(ron("cap", "rotate", "--grace", "1h")).contains("are accepted until ");
      String fresh = ron("cap", "mint");
      awaitAccepted(node, fresh);
      assertEveryDoor(node, old, 200);
      try (Line stream = stream(node.url("mailbox"), old)) {
        assertThat(ron("cap", "rotate", "--now")).contains("every token minted before is refused");
        awaitRefused(node, old);
        awaitRefused(node, fresh);
        assertThat(stream.last()).contains("\"code\":\"cap-auth\"", "no longer accepted");
      }
      String last = ron("cap", "mint");
      assertEveryDoor(node, last, 200);
    }
  }

  /** At each door by itself, and for copies with other rates together. */
  @Test
  void aRateIsKeptAtEveryDoor() throws Exception {
    try (RunningNode node = start()) {
      for (Map.Entry<String, String> door : doors(node).entrySet()) {
        String token = ron("cap", "mint", "--rate", "5");
        String narrowed = ron0("cap", "attenuate", token, "--rate", "4");
        assertThat(get(door.getValue(), narrowed)).as(door.getKey()).isEqualTo(200);
        await(() -> get(door.getValue(), token) == 429, door.getKey() + " keeps the rate");
      }
    }
  }

  /** Services of a node show each other tokens of its own keys. */
  @Test
  void theRewarderReadsFromStorageAfterARotation() throws Exception {
    try (RunningNode node = start()) {
      assertThat(computed(node, "before", ron("cap", "mint")))
          .startsWith("404 ")
          .contains("input b3:000");
      ron("cap", "rotate", "--now");
      String token = ron("cap", "mint");
      awaitAccepted(node, token);
      assertThat(computed(node, "after", token)).startsWith("404 ").contains("input b3:000");
    }
  }

  /** Asks for an epoch of inputs that the storage does not have, and says so if it is let ask. */
  private String computed(RunningNode node, String epoch, String token) throws Exception {
    String nothing = "b3:" + "0".repeat(64);
    String url = node.url("rewarder") + "/rewarder/epochs/" + epoch + "/compute";
    String body =
        "{\"accounting\":\"%s\",\"ledger\":\"%s\",\"policy\":\"%s\",\"dry_run\":true}"
            .formatted(nothing, nothing, nothing);
    return post(url, body, token);
  }

  @Test
  void filesThatCannotBeReadLeaveWhatIsBelievedAndAreShown() throws Exception {
    try (RunningNode node = start()) {
      String good = ron("cap", "mint");
      String revoked = ron("cap", "mint");
      ron("cap", "revoke", revoked);
      awaitRefused(node, revoked);
      Path file = NodeKeys.revocations(data);
      String kept = Files.readString(file);
      Files.delete(file);
      awaitReady(node, 503);
      assertEveryDoor(node, revoked, 401);
      assertEveryDoor(node, good, 200);
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, kept);
      awaitReady(node, 200);
      Files.writeString(file, "");
      awaitReady(node, 503);
      assertEveryDoor(node, revoked, 401);
      Files.writeString(file, kept);
      awaitReady(node, 200);
      Files.writeString(NodeKeys.ring(data), "nonsense\n");
      awaitReady(node, 503);
      assertEveryDoor(node, good, 200);
      assertEveryDoor(node, revoked, 401);
    }
  }

  @Test
  void aNodeKeepsOneAdminTokenForEachKey() throws Exception {
    String first = NodeKeys.openOrMake(data).adminToken();
    assertThat(NodeKeys.openOrMake(data).adminToken()).isEqualTo(first);
    ron("cap", "revoke", first);
    String second = NodeKeys.openOrMake(data).adminToken();
    assertThat(second).isNotEqualTo(first);
    ron("cap", "rotate");
    assertThat(NodeKeys.openOrMake(data).adminToken()).isNotEqualTo(second);
  }

  private RunningNode start() throws Exception {
    return RunningNode.start(
        data,
        Map.of(
            "node.base_port",
            Integer.toString(FreePorts.row(11)),
            "storage.public_read",
            "false",
            "rewarder.require_signed_policy",
            "false"));
  }

  /** A request to each door that needs a capability, or checks the one that is shown. */
  private static Map<String, String> doors(RunningNode node) {
    var doors = new LinkedHashMap<String, String>();
    Map<String, String> paths =
        Map.of(
            "mailbox", "/v1/topics",
            "storage", "/o?limit=1",
            "edge", "/edge/packs",
            "rewarder", "/rewarder/keys");
    paths.forEach(
        (service, path) -> {
          doors.put(service, node.url(service) + path);
          doors.put("gateway to " + service, node.url("gateway") + path);
          doors.put("admin to " + service, node.admin() + "/api/" + service + path);
        });
    return doors;
  }

  private void assertEveryDoor(RunningNode node, String token, int status) throws Exception {
    for (Map.Entry<String, String> door : doors(node).entrySet()) {
      assertThat(get(door.getValue(), token)).as(door.getKey()).isEqualTo(status);
    }
  }

  private void awaitRefused(RunningNode node, String token) throws Exception {
    await(() -> get(node.url("mailbox") + "/v1/topics", token) == 401, "refused");
    assertEveryDoor(node, token, 401);
  }

  private void awaitAccepted(RunningNode node, String token) throws Exception {
    await(() -> get(node.url("mailbox") + "/v1/topics", token) == 200, "accepted");
  }

  private void awaitReady(RunningNode node, int status) throws Exception {
    await(() -> get(node.admin() + "/readyz", "") == status, "readyz " + status);
  }

  /** Something that comes to hold. */
  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition, String what) throws Exception {
    long end = System.nanoTime() + REFUSED_WITHIN.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("not in time: " + what).isLessThan(end);
      var _ = new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS);
    }
  }

  /** A stream that is open. */
  private record Line(InputStream body, BufferedReader lines) implements AutoCloseable {
    /** The last line before its end. */
    String last() throws IOException {
      String last = "";
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        last = line.isEmpty() ? last : line;
      }
      return last;
    }

    @Override
    public void close() throws IOException {
      body.close();
    }
  }

  private Line stream(String url, String token) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/v1/recv/stream"))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.ofString("{\"topic\":\"t\"}"))
            .build();
    var answer = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    assertThat(answer.statusCode()).isEqualTo(200);
    return new Line(answer.body(), new BufferedReader(new InputStreamReader(answer.body(), UTF_8)));
  }

  private int get(String url, String token) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  private String post(String url, String body, String token) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + token)
            .header("Prefer", "wait=30")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    var answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body();
  }

  private String ron(String... args) {
    var all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--data", data.toString()));
    return ron0(all.toArray(String[]::new));
  }

  private static String ron0(String... args) {
    Said said = Said.by(args);
    assertThat(said.exit()).as(said.err()).isZero();
    return said.out().strip();
  }
}
