package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.ChildJvm;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL at random moments while a FIFO queue is sent to and received from, each time with another
 * number of shards: no group is ever out of order, and nothing is lost.
 */
final class FifoKillTest {
  private static final String QUEUE = "sqs/1/killed.fifo";
  private static final int CLIENTS = 4;
  private static final int GROUPS = 12;

  /** Longer than a restart, so that leases from before a kill hold after it. */
  private static final int VISIBILITY_MILLIS = 8000;

  private static final Duration FIRST_ANSWER_LIMIT = Duration.ofSeconds(30);
  private static final Pattern RECEIVED =
      Pattern.compile(
          "\"msg_id\":\"(\\w+)\".*?\"idem_key\":\"(g\\d+)-[^\"]*\".*?\"receipt\":\"(\\w+)\"");

  @TempDir private Path folder;

  @Test
  void orderHoldsOverFiveKills() throws Exception {
    killAndCheck(5, Long.getLong("ron.seed", 1));
  }

  @Test
  @Tag("long")
  void orderHoldsOverTwoHundredKills() throws Exception {
    killAndCheck(200, Long.getLong("ron.seed", 2));
  }

  private void killAndCheck(int rounds, long seed) throws Exception {
    var random = new SplittableRandom(seed);
    var ledger = new FifoLedger();
    for (int round = 0; round < rounds; round++) {
      loadAndKill(round, ledger, random);
      assertThat(ledger.contradictions).as("round %d of seed %d", round, seed).isEmpty();
    }
    try (ChildJvm child = start(random);
        HttpClient http = HttpClient.newHttpClient()) {
      int port = Integer.parseInt(child.line());
      assertThat(ledger.lost(everything(http, port))).as("seed %d", seed).isEmpty();
      child.kill9();
    }
    System.out.printf(
        "fifo kill loop: %d rounds, %d sends, %d deletes%n",
        rounds, ledger.count(), ledger.deleted.size());
    assertThat(ledger.count()).as("there was load").isGreaterThan(rounds * 3);
    assertThat(ledger.deleted.size()).as("there were deletes").isGreaterThan(rounds / 2);
  }

  private ChildJvm start(RandomGenerator random) throws Exception {
    String shards = Integer.toString(1 + random.nextInt(8));
    return ChildJvm.start(KilledMain.class, folder.toString(), shards, QUEUE);
  }

  private void loadAndKill(int round, FifoLedger ledger, RandomGenerator random) throws Exception {
    try (ChildJvm child = start(random);
        HttpClient http = HttpClient.newHttpClient()) {
      int port = Integer.parseInt(child.line());
      deleteHeld(http, port, ledger);
      int before = ledger.count();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        String name = "r%d-c%d".formatted(round, i);
        var chance = new SplittableRandom(random.nextLong());
        clients.add(Thread.ofVirtual().start(() -> load(http, port, name, ledger, chance)));
      }
      var time = new SystemTime();
      Instant limit = time.now().plus(FIRST_ANSWER_LIMIT);
      while (ledger.count() == before && time.now().isBefore(limit)) {
        time.sleepUntil(time.now().plus(Duration.ofMillis(2)));
      }
      time.sleepUntil(time.now().plus(Duration.ofMillis(random.nextInt(1200))));
      child.kill9();
      for (Thread client : clients) {
        client.join();
      }
    }
  }

  private static void load(
      HttpClient http, int port, String name, FifoLedger ledger, RandomGenerator random) {
    try {
      for (int number = 0; true; number++) {
        if (random.nextInt(2) == 0) {
          String group = "g" + random.nextInt(GROUPS);
          String path =
              "/v1/send?topic=%s&group=%s&idem_key=%s-%s-%d"
                  .formatted(QUEUE, group, group, name, number);
          HttpResponse<String> answer = post(http, port, path, "application/octet-stream", "x");
          if (answer.statusCode() == 200) {
            ledger.sent(group, Rig.field(answer.body(), "msg_id"));
          }
        } else {
          receive(http, port, ledger, random);
        }
      }
    } catch (IOException | InterruptedException _) {
      // the mailbox was killed; what was under way is unknown
    }
  }

  private static void receive(HttpClient http, int port, FifoLedger ledger, RandomGenerator random)
      throws IOException, InterruptedException {
    Set<String> gone = ledger.goneBefore();
    List<FifoLedger.Got> answer = got(http, port, VISIBILITY_MILLIS);
    ledger.received(answer, gone, new SystemTime().now());
    for (FifoLedger.Got each : answer) {
      if (random.nextInt(8) == 0) {
        // The rest comes back by itself, in order.
        return;
      }
      if (!delete(http, port, each, ledger)) {
        return;
      }
    }
  }

  private static boolean delete(
      HttpClient http, int port, FifoLedger.Got message, FifoLedger ledger)
      throws IOException, InterruptedException {
    ledger.deleteAsked.add(message.id());
    String receipt = "{\"receipt\":\"%s\"}".formatted(message.receipt());
    int status =
        post(http, port, "/v1/ack/" + message.id(), "application/json", receipt).statusCode();
    if (status == 200) {
      ledger.deleted.add(message.id());
      ledger.held.remove(message.id(), message);
    }
    return status == 200;
  }

  /** Receipts from before a kill are good after it, as long as their leases last. */
  private static void deleteHeld(HttpClient http, int port, FifoLedger ledger)
      throws IOException, InterruptedException {
    for (FifoLedger.Got each : List.copyOf(ledger.held.values())) {
      if (!delete(http, port, each, ledger) && new SystemTime().now().isBefore(each.until())) {
        ledger.contradictions.add(each + " was refused in its lease");
      }
      ledger.held.remove(each.id());
    }
  }

  private static List<FifoLedger.Got> got(HttpClient http, int port, int visibility)
      throws IOException, InterruptedException {
    String request =
        "{\"topic\":\"%s\",\"max_messages\":5,\"visibility_ms\":%d}".formatted(QUEUE, visibility);
    Instant until = new SystemTime().now().plusMillis(visibility);
    Matcher found =
        RECEIVED.matcher(post(http, port, "/v1/recv", "application/json", request).body());
    var got = new ArrayList<FifoLedger.Got>();
    while (found.find()) {
      got.add(new FifoLedger.Got(found.group(2), found.group(1), found.group(3), until));
    }
    return got;
  }

  /** What is left, when the leases of before have ended; deletes it to get at the next. */
  private static Set<String> everything(HttpClient http, int port) throws Exception {
    var left = new HashSet<String>();
    var time = new SystemTime();
    Instant quiet = time.now().plusMillis(VISIBILITY_MILLIS + 2000L);
    while (time.now().isBefore(quiet)) {
      for (FifoLedger.Got each : got(http, port, 60_000)) {
        left.add(each.id());
        post(http, port, "/v1/ack/" + each.id(), "application/json", "{}");
        quiet = time.now().plusMillis(VISIBILITY_MILLIS + 2000L);
      }
    }
    return left;
  }

  private static HttpResponse<String> post(
      HttpClient http, int port, String path, String type, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body.getBytes(UTF_8)))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
