package dev.ron.rewarder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.rewarder.core.Calculus;
import dev.ron.rewarder.epoch.RunSteps;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Inputs from a storage that misbehaves, over HTTP. What a real one answers is tried where both can
 * be started: with the node.
 */
@Timeout(120)
final class StorageInputsTest {
  @TempDir private Path folder;

  /** What the storage says for an address: its bytes, unless something is wrong with it. */
  private final Map<String, Answering> objects = new ConcurrentHashMap<>();

  private final AtomicInteger asked = new AtomicInteger();
  private HttpServer storage;
  private volatile String shown = "";
  private volatile String correlated = "";

  private interface Answering {
    void to(HttpExchange exchange) throws IOException;
  }

  @BeforeEach
  void start() throws IOException {
    storage = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    storage.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    storage.createContext(
        "/o/",
        exchange -> {
          asked.incrementAndGet();
          shown = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
          correlated = String.valueOf(exchange.getRequestHeaders().getFirst("X-Corr-ID"));
          String address = exchange.getRequestURI().getPath().substring("/o/".length());
          objects.getOrDefault(address, StorageInputsTest::absent).to(exchange);
        });
    storage.start();
  }

  @AfterEach
  void stop() {
    storage.stop(0);
  }

  private static void absent(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(404, -1);
    exchange.close();
  }

  private static void say(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private String put(byte[] bytes) {
    String address = new Address(Blake3.hash(bytes)).toString();
    objects.put(address, exchange -> say(exchange, 200, bytes));
    return address;
  }

  private String put(String text) {
    return put(text.getBytes(UTF_8));
  }

  private Rig rig(String... more) throws Exception {
    var settings = Rig.table(more);
    settings.putAll(
        Rig.table(
            "inputs=storage",
            "storage_url=http://127.0.0.1:" + storage.getAddress().getPort(),
            "storage_cap=token"));
    return new Rig(folder, settings, null, Calculus.EXACT, RunSteps.IGNORED);
  }

  private String compute(Rig rig, String epoch, String accounting) throws Exception {
    String pool = "{\"pool_minor\":\"100\",\"asset\":\"ROC\",\"epoch\":\"%s\"}".formatted(epoch);
    return rig.compute(epoch, accounting, put(pool), put(Rig.POLICY), false);
  }

  @Test
  void whateverTheStorageDoesIsARunOrAFault() throws Exception {
    String csv = "actor,metric,units\nalice,uptime,3\nbob,uptime,1\n";
    String forged = put("actor,metric,units\nalice,uptime,9\n");
    objects.put(forged, exchange -> say(exchange, 200, csv.getBytes(UTF_8)));
    String broken = put("actor,metric,units\nalice,uptime,8\n");
    objects.put(
        broken,
        exchange -> {
          exchange.sendResponseHeaders(200, 1000);
          exchange.getResponseBody().write("actor".getBytes(UTF_8));
          exchange.getResponseBody().flush();
          exchange.close();
        });
    String forbidden = put("actor,metric,units\nalice,uptime,7\n");
    objects.put(forbidden, exchange -> say(exchange, 403, new byte[0]));
    try (Rig rig = rig()) {
      assertThat(compute(rig, "good", put(csv))).startsWith("200 ").contains("\"closed\"");
      assertThat(shown).isEqualTo("Bearer token");
      assertThat(correlated).isEqualTo(Rig.field(rig.get("/rewarder/epochs/good"), "run_key"));
      assertThat(compute(rig, "absent", "b3:" + "0".repeat(64)))
          .startsWith("404 ")
          .contains("\"unknown\"");
      assertThat(compute(rig, "forged", forged)).startsWith("502 ").contains("\"seal-broken\"");
      assertThat(compute(rig, "broken", broken))
          .startsWith("502 ")
          .contains("\"input-unavailable\"", "in the middle of an answer");
      assertThat(compute(rig, "forbidden", forbidden))
          .startsWith("502 ")
          .contains("\"input-unavailable\"");
      assertThat(compute(rig, "broken", put(csv))).as("no run is kept of it").startsWith("200 ");
    }
  }

  @Test
  void aBusyStorageIsAskedThreeTimesAndOneThatIsGoneIsAFault() throws Exception {
    byte[] csv = "actor,metric,units\nalice,uptime,3\n".getBytes(UTF_8);
    String accounting = put(csv);
    var left = new AtomicInteger(2);
    objects.put(
        accounting,
        exchange ->
            say(
                exchange,
                left.getAndDecrement() > 0 ? 503 : 200,
                left.get() >= 0 ? new byte[0] : csv));
    try (Rig rig = rig()) {
      assertThat(compute(rig, "busy", accounting)).startsWith("200 ");
      left.set(Integer.MAX_VALUE);
      int before = asked.get();
      assertThat(compute(rig, "down", accounting))
          .startsWith("502 ")
          .contains("\"input-unavailable\"", "503");
      assertThat(asked.get() - before).as("two documents, and three tries").isEqualTo(5);
      storage.stop(0);
      assertThat(compute(rig, "gone", accounting))
          .startsWith("502 ")
          .contains("\"input-unavailable\"");
    }
  }

  /** Takes connections and requests, and says nothing, or nothing more after the head. */
  @Test
  void aSilentStorageIsAFaultSoonAndShowsIfItStaysSo() throws Exception {
    String silent = put("actor,metric,units\nalice,uptime,1\n");
    var release = new CountDownLatch(1);
    objects.put(silent, exchange -> await(release));
    String stalled = put("actor,metric,units\nalice,uptime,2\n");
    objects.put(
        stalled,
        exchange -> {
          exchange.sendResponseHeaders(200, 1000);
          exchange.getResponseBody().write("actor".getBytes(UTF_8));
          exchange.getResponseBody().flush();
          await(release);
        });
    try (Rig rig = rig("upstream_timeout=100ms", "workers=1")) {
      assertThat(compute(rig, "e", silent)).startsWith("502 ").contains("\"input-unavailable\"");
      assertThat(rig.metric("io_timeouts_total{op=\"input\"}")).isEqualTo("3.0");
      assertThat(rig.metric("backoff_retries_total{op=\"input\"}")).isEqualTo("2.0");
      assertThat(compute(rig, "e", stalled)).startsWith("502 ").contains("\"input-unavailable\"");
      assertThat(rig.metric("io_timeouts_total{op=\"input\"}")).isEqualTo("4.0");
      assertThat(rig.get("/readyz")).startsWith("200 ");
      objects.clear();
      objects.put(silent, exchange -> await(release));
      for (int i = 0; i < 3; i++) {
        assertThat(rig.compute("e", silent, silent, silent, false)).startsWith("502 ");
      }
      assertThat(rig.get("/readyz")).startsWith("503 ").contains("the storage failed", "in a row");
      release.countDown();
      assertThat(compute(rig, "e", put("actor,metric,units\nalice,uptime,3\n"))).startsWith("200 ");
      assertThat(rig.get("/readyz")).startsWith("200 ");
    } finally {
      release.countDown();
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException stop) {
      throw new IOException(stop);
    }
  }

  @Test
  void parquetIsSpooledAndTheSpoolIsGoneAfterwards() throws Exception {
    Path file = folder.resolve("f.parquet");
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement()) {
      statement.execute(
          "COPY (SELECT 'a' || (i %% 10) AS actor, 'uptime' AS metric, i AS units FROM range(5000) t(i)) TO '%s' (FORMAT parquet)"
              .formatted(file));
    }
    try (Rig rig = rig()) {
      assertThat(compute(rig, "e", put(Files.readAllBytes(file))))
          .startsWith("200 ")
          .contains("\"lines\":10");
      try (var left = Files.walk(folder.resolve("rewarder"))) {
        assertThat(left.filter(path -> path.endsWith("parquet"))).isEmpty();
      }
    }
  }

  @Test
  void theClientIsLetGoOfWhenTheTreeHasDrained() throws Exception {
    try (Rig rig = rig()) {
      compute(rig, "e", put("actor,metric,units\nalice,uptime,3\n"));
      assertThat(clientThreads()).as("the test would see them").isPositive();
    }
    // A loop that was told to end is seen until its thread has returned.
    for (Thread ending : threads()) {
      ending.join(Duration.ofSeconds(60));
    }
    assertThat(clientThreads()).isZero();
  }

  private static long clientThreads() {
    return threads().size();
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("rewarder/http-client"))
        .toList();
  }
}
