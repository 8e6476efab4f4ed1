package dev.ron.rewarder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.ron.rewarder.core.Calculus;
import dev.ron.rewarder.epoch.RunSteps;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ledgers that are down, slow, forgetful of what they answered, or not willing. */
@Timeout(120)
final class SettlementTest {
  private static final Pattern KEY =
      Pattern.compile(
          "\"amount_minor\":\"(\\d+)\",\"asset\":\"ROC\",\"epoch\":\"[^\"]+\",\"key\":\"([^\"]+)\"");
  private static final int ACTORS = 250;

  @TempDir private Path folder;
  private HttpServer ledger;
  private final Map<String, Long> paid = new ConcurrentHashMap<>();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile Behaviour behaviour = (_, _) -> 200;

  /** What the ledger answers to its n-th request; after it has taken the intents, or before. */
  private interface Behaviour {
    int status(int n, Runnable take);
  }

  @BeforeEach
  void open() throws Exception {
    ledger = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    ledger.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    ledger.createContext(
        "/",
        exchange -> {
          String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          int[] counts = new int[2];
          var taken = new AtomicInteger();
          Runnable take =
              () -> {
                if (taken.getAndIncrement() == 0) {
                  take(body, counts);
                }
              };
          int status = behaviour.status(asked.incrementAndGet(), take);
          if (status == 200) {
            take.run();
          }
          byte[] answer =
              "{\"accepted\":%d,\"duplicates\":%d}".formatted(counts[0], counts[1]).getBytes(UTF_8);
          exchange.sendResponseHeaders(status, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    ledger.start();
  }

  private void take(String body, int[] counts) {
    Matcher each = KEY.matcher(body);
    synchronized (paid) {
      while (each.find()) {
        boolean fresh = paid.putIfAbsent(each.group(2), Long.parseLong(each.group(1))) == null;
        counts[fresh ? 0 : 1]++;
      }
    }
  }

  @AfterEach
  void close() {
    ledger.stop(0);
  }

  private Rig rig(RunSteps steps) throws Exception {
    return new Rig(
        folder,
        Map.of(
            "ledger.sink",
            "http",
            "ledger.url",
            "http://127.0.0.1:" + ledger.getAddress().getPort() + "/"),
        null,
        Calculus.EXACT,
        steps);
  }

  private static String accounting() {
    var text = new StringBuilder("actor,metric,units\n");
    for (int i = 0; i < ACTORS; i++) {
      text.append("a").append(i).append(",uptime,1\n");
    }
    return text.toString();
  }

  /** Of the run whose manifest this is. */
  private void everyLineIsPaidOnce(String manifest) {
    String run = Rig.field(manifest, "run_key");
    long[] sums = new long[2];
    paid.forEach(
        (key, amount) -> {
          sums[0] += key.startsWith(run) ? 1 : 0;
          sums[1] += key.startsWith(run) ? amount : 0;
        });
    assertThat(sums).containsExactly(ACTORS, 1_000_000);
  }

  @Test
  void aLedgerThatIsDownIsAskedAgainUntilItTakesThem() throws Exception {
    behaviour = (n, _) -> n <= 4 ? 503 : 200;
    try (Rig rig = rig(RunSteps.IGNORED)) {
      String manifest = rig.compute("e", accounting());
      rig.awaitSettlement("e", "settled");
      everyLineIsPaidOnce(manifest);
      assertThat(rig.metric("ledger_intents_total{result=\"failed\"}")).isEqualTo("400.0");
      assertThat(rig.metric("ledger_intents_total{result=\"accepted\"}")).isEqualTo("250.0");
      assertThat(rig.get("/readyz")).startsWith("200 ");
    }
  }

  @Test
  void aLedgerThatTookThemAndSaidOtherwisePaysNobodyTwice() throws Exception {
    behaviour =
        (n, take) -> {
          if (n % 2 == 1) {
            take.run();
            return 500;
          }
          return 200;
        };
    try (Rig rig = rig(RunSteps.IGNORED)) {
      String manifest = rig.compute("e", accounting());
      rig.awaitSettlement("e", "settled");
      everyLineIsPaidOnce(manifest);
      assertThat(rig.metric("ledger_intents_total{result=\"duplicate\"}")).isEqualTo("250.0");
    }
  }

  @Test
  void aSlowLedgerKeepsNoRunFromBeingComputed() throws Exception {
    var release = new CountDownLatch(1);
    behaviour =
        (_, _) -> {
          try {
            release.await();
          } catch (InterruptedException stop) {
            return 500;
          }
          return 200;
        };
    try (Rig rig = rig(RunSteps.IGNORED)) {
      String manifest = rig.compute("e", accounting());
      assertThat(rig.compute("f", accounting())).startsWith("200 ");
      assertThat(rig.get("/rewarder/epochs/e/settlement")).doesNotContain("\"settled\"");
      release.countDown();
      rig.awaitSettlement("e", "settled");
      everyLineIsPaidOnce(manifest);
    }
  }

  @Test
  void aLedgerThatRefusesStallsThatRunOnly() throws Exception {
    behaviour = (n, _) -> n == 1 ? 422 : 200;
    try (Rig rig = rig(RunSteps.IGNORED)) {
      rig.compute("bad", accounting());
      rig.awaitSettlement("bad", "stalled");
      String manifest = rig.compute("e", accounting());
      rig.awaitSettlement("e", "settled");
      everyLineIsPaidOnce(manifest);
    }
    // After a start it is tried again.
    try (Rig rig = rig(RunSteps.IGNORED)) {
      rig.awaitSettlement("bad", "settled");
    }
  }

  /** A shutdown while results are in flight: the run is kept or given up, and paid once after. */
  @Test
  void aShutdownWithResultsInFlightLosesNothing() throws Exception {
    for (String at : new String[] {"allocated", "attested", "kept", "batch-taken"}) {
      var reached = new CountDownLatch(1);
      var drained = new CountDownLatch(1);
      RunSteps steps =
          step -> {
            if (step.equals(at)) {
              reached.countDown();
              try {
                drained.await();
              } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
              }
            }
          };
      Path home = folder.resolve(at);
      String epoch = "e";
      paid.clear();
      Map<String, String> settings =
          Map.of(
              "ledger.sink",
              "http",
              "ledger.url",
              "http://127.0.0.1:" + ledger.getAddress().getPort() + "/");
      Rig rig = new Rig(home, settings, null, Calculus.EXACT, steps);
      String accounting = rig.seal(accounting());
      String pool = rig.ledger(epoch, "1000000");
      String policy = rig.seal(Rig.POLICY);
      rig.post("/rewarder/epochs/e/compute", Rig.body(accounting, pool, policy, false), "");
      reached.await();
      var closing = Thread.ofVirtual().start(rig::close);
      drained.countDown();
      closing.join();
      try (Rig again = new Rig(home, settings, null, Calculus.EXACT, RunSteps.IGNORED)) {
        String manifest = again.compute(epoch, accounting, pool, policy, false);
        assertThat(manifest).startsWith("200 ");
        again.awaitSettlement(epoch, "settled");
        everyLineIsPaidOnce(manifest);
      }
    }
  }

  /** The ledger is the machines' together, so a line that it has is not sent to it again. */
  @Test
  void whatALostMachinePaidIsNotSentAgain() throws Exception {
    var epochs = new SharedEpochs();
    behaviour = (n, _) -> n == 1 ? 200 : 503;
    String[] settings = {
      "inputs_folder=" + folder.resolve("a").resolve("inputs"),
      "ledger.sink=http",
      "ledger.url=http://127.0.0.1:" + ledger.getAddress().getPort() + "/"
    };
    String manifest;
    try (Rig a = Rig.shared(folder.resolve("a"), epochs.machine(), RunSteps.IGNORED, settings)) {
      a.awaitMetric("readyz_degraded{cause=\"epochs\"}", "0.0");
      manifest = a.compute("e", accounting());
      a.awaitMetric("ledger_intents_total{result=\"accepted\"}", "100.0");
      a.awaitMetric("ledger_intents_total{result=\"failed\"}", "100.0");
    }
    behaviour = (_, _) -> 200;
    try (Rig b = Rig.shared(folder.resolve("b"), epochs.machine(), RunSteps.IGNORED, settings)) {
      b.awaitSettlement("e", "settled");
      assertThat(b.metric("ledger_intents_total{result=\"accepted\"}")).isEqualTo("150.0");
      assertThat(b.metric("ledger_intents_total{result=\"duplicate\"}")).isIn("none", "0.0");
      everyLineIsPaidOnce(manifest);
    }
  }

  @Test
  void whatWasPaidBeforeThereWereOtherMachinesIsNotSentAgain() throws Exception {
    String manifest;
    try (Rig alone = rig(RunSteps.IGNORED)) {
      manifest = alone.compute("e", accounting());
      alone.awaitSettlement("e", "settled");
    }
    everyLineIsPaidOnce(manifest);
    int before = asked.get();
    var epochs = new SharedEpochs();
    String url = "ledger.url=http://127.0.0.1:" + ledger.getAddress().getPort() + "/";
    String inputs = "inputs_folder=" + folder.resolve("inputs");
    for (Path each : new Path[] {folder, folder.resolve("b")}) {
      try (Rig shared =
          Rig.shared(each, epochs.machine(), RunSteps.IGNORED, inputs, "ledger.sink=http", url)) {
        shared.awaitMetric("readyz_degraded{cause=\"epochs\"}", "0.0");
        shared.awaitSettlement("e", "settled");
      }
    }
    assertThat(asked).hasValue(before);
  }

  @Test
  void keysAreTheRunAndTheLine() throws Exception {
    try (Rig rig = rig(RunSteps.IGNORED)) {
      String manifest = rig.compute("e", accounting());
      rig.awaitSettlement("e", "settled");
      assertThat(paid).containsKey(Rig.field(manifest, "run_key") + ":1");
    }
  }
}
