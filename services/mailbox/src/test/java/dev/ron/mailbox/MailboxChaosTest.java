package dev.ron.mailbox;

import static dev.ron.mailbox.Rig.field;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A mailbox under load: half of its shards killed, all its bounds met, one key sent by many. */
@Timeout(180)
final class MailboxChaosTest {
  private static final int SENDERS = 4;
  private static final int TOPICS = 32;
  private static final int BURST = 400;

  @TempDir private Path folder;

  /** The first draw of a shard that is named here throws, in the middle of a send or a receive. */
  private static World deadly(Set<String> doomed) {
    World real = World.real(Log.silent());
    RandomGenerator secrets =
        () -> {
          if (doomed.remove(Thread.currentThread().getName())) {
            throw new IllegalStateException("planted");
          }
          return real.secrets().nextLong();
        };
    return new World(real.time(), real.chance(), secrets, real.disk(), real.threads(), real.log());
  }

  /** What was promised, by all clients. */
  private static final class Promises {
    final Set<String> sent = ConcurrentHashMap.newKeySet();
    final Set<String> acked = ConcurrentHashMap.newKeySet();
  }

  @Test
  @SeedRow({"M14", "M20", "M84", "M107"})
  void halfOfTheShardsDieUnderLoadAndNothingAcknowledgedIsLost() throws Exception {
    Set<String> doomed = ConcurrentHashMap.newKeySet();
    var promises = new Promises();
    var over = new AtomicBoolean();
    Map<String, String> settings =
        Rig.table("shard_count=4", "max_attempts=1000", "visibility_default=500ms");
    try (Rig rig = new Rig(deadly(doomed), folder, settings, null);
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<?>>();
      for (int i = 0; i < SENDERS; i++) {
        int number = i;
        running.add(clients.submit(() -> load(rig, number, promises, over)));
      }
      Rig.eventually("there is load", () -> promises.acked.size() > 20);
      assertThat(ready(rig)).isTrue();
      doomed.addAll(List.of("mailbox/shard-0", "mailbox/shard-2"));
      Rig.eventually("unready", () -> !ready(rig));
      long down = System.nanoTime();
      Rig.eventually("ready again", () -> doomed.isEmpty() && ready(rig));
      // Restarts begin after 100 to 400 ms.
      assertThat(Duration.ofNanos(System.nanoTime() - down)).isLessThan(Duration.ofSeconds(1));
      int before = promises.acked.size();
      Rig.eventually("it goes on", () -> promises.acked.size() > before + 20);
      over.set(true);
      for (Future<?> each : running) {
        each.get(60, TimeUnit.SECONDS);
      }
      assertThat(rig.metric("service_restarts_total{task=\"shard\"}")).isEqualTo(2);
      Set<String> left = new HashSet<>(promises.sent);
      left.removeAll(promises.acked);
      Rig.eventually("each comes back when its lease ends", () -> settledAll(rig, left));
    }
  }

  /**
   * Sends, receives and acks until it is told; a receive that fails leaves its lease to the end.
   */
  private static Void load(Rig rig, int number, Promises promises, AtomicBoolean over)
      throws Exception {
    for (int i = 0; !over.get() && i < 5_000; i++) {
      String topic = "t" + (i * SENDERS + number) % TOPICS;
      String sent = rig.send(topic, number + "-" + i);
      if (sent.startsWith("200 ")) {
        promises.sent.add(field(sent, "msg_id"));
      } else {
        assertThat(sent).startsWith("503 ");
      }
      settle(rig, topic, promises.acked);
    }
    return null;
  }

  private static void settle(Rig rig, String topic, Set<String> acked) throws Exception {
    String got = rig.post("/v1/recv", "{\"topic\":\"" + topic + "\"}");
    if (got.contains("msg_id")) {
      String id = field(got, "msg_id");
      String receipt = "{\"receipt\":\"" + field(got, "receipt") + "\"}";
      if (rig.post("/v1/ack/" + id, receipt).startsWith("200 ")) {
        acked.add(id);
      }
    }
  }

  private static boolean settledAll(Rig rig, Set<String> left) {
    try {
      var acked = new HashSet<String>();
      for (int topic = 0; topic < TOPICS; topic++) {
        settle(rig, "t" + topic, acked);
      }
      left.removeAll(acked);
      return left.isEmpty();
    } catch (Exception broken) {
      throw new AssertionError(broken);
    }
  }

  private static boolean ready(Rig rig) {
    try {
      return rig.get("/readyz").startsWith("200 ");
    } catch (Exception broken) {
      throw new AssertionError(broken);
    }
  }

  @Test
  @SeedRow({
    "M04", "M10", "M25", "M26", "M32", "M48", "M61", "M67", "M70", "M71", "M77", "M85", "M88",
    "M100"
  })
  void aStormIsRefusedWithATimeAndNoQueueIsEverLongerThanItsBound() throws Exception {
    try (Rig rig = Rig.open(folder, "shard_count=2", "shard_capacity=50", "inbox=2");
        ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor();
        ExecutorService watcher = Executors.newSingleThreadExecutor()) {
      var storming = new AtomicBoolean(true);
      var longest = new DoubleAccumulator(Math::max, 0);
      Future<?> watch = watcher.submit(() -> watch(rig, storming, longest));
      int sent = 0;
      int accepted = 0;
      int refused = 0;
      // A scrape between two bursts sees empty queues, so the storm lasts until one has met a
      // burst.
      while (longest.get() < 0.1 && sent < 40_000) {
        for (Future<HttpResponse<String>> each : senders.invokeAll(burst(rig, sent))) {
          HttpResponse<String> answer = each.get();
          if (answer.statusCode() == 429) {
            refused++;
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
          } else {
            assertThat(answer.statusCode()).isEqualTo(200);
            accepted++;
          }
        }
        sent += BURST;
      }
      storming.set(false);
      watch.get(60, TimeUnit.SECONDS);
      assertThat(longest.get()).isBetween(0.1, 1.0);
      assertThat(accepted).isBetween(1, 100);
      assertThat(refused).isEqualTo(sent - accepted);
      assertThat(rig.metric("busy_rejections_total{endpoint=\"/v1/send\"}")).isEqualTo(refused);
      int held = accepted;
      String ready = "queue_depth{queue=\"ready\",shard=\"%d\"}";
      Rig.eventually(
          "the gauges say what was accepted",
          () -> rig.metric(ready.formatted(0)) + rig.metric(ready.formatted(1)) == held);
    }
  }

  private static List<Callable<HttpResponse<String>>> burst(Rig rig, int first) {
    var calls = new ArrayList<Callable<HttpResponse<String>>>();
    for (int i = first; i < first + BURST; i++) {
      String path = "/v1/send?topic=t" + i % TOPICS + "&idem_key=" + i;
      calls.add(() -> rig.exchange(path, "text/plain", new byte[10], ""));
    }
    return calls;
  }

  /** Keeps the largest share of a bound that any scrape saw. */
  private static void watch(Rig rig, AtomicBoolean storming, DoubleAccumulator longest) {
    while (storming.get()) {
      rig.scope
          .metrics()
          .text()
          .lines()
          .filter(line -> line.startsWith("saturation{"))
          .forEach(
              line ->
                  longest.accumulate(Double.parseDouble(line.substring(line.indexOf('}') + 2))));
    }
  }

  @Test
  @SeedRow({"M46", "M79", "M106"})
  void manyWhoSendOneKeyAtOnceAreOneMessage() throws Exception {
    try (Rig rig = Rig.open(folder);
        ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int key = 0; key < 20; key++) {
        String name = "k" + key;
        var calls = new ArrayList<Callable<String>>();
        for (int i = 0; i < 20; i++) {
          calls.add(() -> rig.send("t", name));
        }
        var answers = new ArrayList<String>();
        for (Future<String> each : senders.invokeAll(calls)) {
          answers.add(each.get());
        }
        assertThat(answers).allMatch(answer -> answer.startsWith("200 "));
        assertThat(answers).filteredOn(each -> field(each, "duplicate").equals("false")).hasSize(1);
        assertThat(answers.stream().map(each -> field(each, "msg_id")).collect(Collectors.toSet()))
            .hasSize(1);
      }
      String received = rig.post("/v1/recv", "{\"topic\":\"t\",\"max_messages\":100}");
      assertThat(received.split("msg_id", -1)).hasSize(21);
    }
  }

  @Test
  @SeedRow({"M05", "M41", "M62", "M91", "M97"})
  void theDoorHasTheTimeoutsOfItsSettings() throws Exception {
    try (Rig rig = Rig.open(folder, "server.read_timeout=50ms", "server.idle_timeout=100ms");
        Socket silent = connected(rig);
        Socket half = connected(rig)) {
      half.getOutputStream().write("POST /v1".getBytes(StandardCharsets.US_ASCII));
      assertThat(first(silent)).as("60 s by default").isEqualTo(-1);
      assertThat(first(half)).as("5 s by default").isIn(-1, (int) 'H');
      Rig.eventually("counted", () -> rig.metric("io_timeouts_total{op=\"read\"}") == 1);
    }
  }

  @Test
  @SeedRow("M97")
  void theDoorHasAsManyConnectionsAsItsSettingsSay() throws Exception {
    try (Rig rig = Rig.open(folder, "server.max_connections=1");
        Socket held = connected(rig)) {
      String poll = "{\"topic\":\"t\",\"wait_ms\":20000}";
      write(
          held,
          "POST /v1/recv",
          "Content-Type: application/json\r\nContent-Length: " + poll.length(),
          poll);
      Rig.eventually("it waits", () -> rig.metric("inflight_requests{route=\"/v1/recv\"}") == 1);
      try (Socket more = connected(rig)) {
        write(more, "GET /v1/topics", "Accept: */*", "");
        assertThat(new String(more.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
            .isEqualTo("HTTP/1.1 429");
      }
    }
  }

  private static void write(Socket socket, String line, String fields, String body)
      throws IOException {
    String request = line + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n\r\n" + body;
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  private static Socket connected(Rig rig) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), rig.wired.door().port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  /** The first byte; -1 if the server closes. */
  private static int first(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read();
    } catch (SocketException _) {
      return -1;
    }
  }
}
