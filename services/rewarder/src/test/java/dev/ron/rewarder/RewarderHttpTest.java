package dev.ron.rewarder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.capability.signature.SignatureKind;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.rewarder.core.Calculus;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.epoch.RunSteps;
import dev.ron.rewarder.sign.Attestor;
import dev.ron.testkit.SeedRow;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The rewarder over HTTP. */
@Timeout(120)
final class RewarderHttpTest {
  private static final String LINES =
      """
      {"actor":"did:ron:bob","metric":"bytes_served","units":"300"}
      {"actor":"did:ron:alice","metric":"bytes_served","units":"700"}
      {"actor":"did:ron:alice","metric":"uptime","units":100}
      """;

  @TempDir private Path folder;

  @Test
  void anEpochIsComputedShownExplainedVerifiedAndPaid() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      String manifest = rig.compute("e1", LINES);
      assertThat(manifest)
          .startsWith("200 {\"accounting\":\"b3:")
          .contains("\"lines\":2,")
          .contains("\"paid_minor\":\"999999\"")
          .contains("\"residual_minor\":\"1\"")
          .contains("\"status\":\"closed\"");
      assertThat(rig.get("/rewarder/epochs/e1")).isEqualTo(manifest);
      assertThat(rig.get("/rewarder/epochs/e1/allocations"))
          .isEqualTo(
              """
              200 {"actor":"did:ron:alice","amount_minor":"712328","line":1,"score":"520000000"}
              {"actor":"did:ron:bob","amount_minor":"287671","line":2,"score":"210000000"}
              """);
      assertThat(rig.get("/rewarder/epochs/e1/allocations?format=csv&from=2"))
          .isEqualTo("200 line,actor,amount_minor,score\n2,did:ron:bob,287671,210000000\n");
      assertThat(rig.get("/rewarder/epochs/e1/allocations/did:ron:bob"))
          .contains("pool all: 1000000 x 210000000 / 730000000 = 287671, remainder")
          .contains("\"proof\":[{\"hash\":\"b3:")
          .contains("\"side\":\"left\"");
      assertThat(rig.get("/rewarder/epochs/e1/allocations/nobody")).startsWith("404 ");
      assertThat(rig.get("/rewarder/epochs/e1/verify")).contains("\"verified\":true");
      assertThat(rig.get("/rewarder/policy/p")).isEqualTo("200 " + Rig.POLICY);
      rig.awaitSettlement("e1", "settled");
      assertThat(rig.get("/rewarder/ledger/actor:ROC:did:ron:alice"))
          .contains("\"balance_minor\":\"712328\"");
      assertThat(rig.get("/rewarder/ledger/pool:ROC:e1")).contains("\"balance_minor\":\"1\"");
      assertThat(rig.get("/rewarder/ledger")).contains("\"sum_minor\":\"0\"");
      assertThat(rig.metric("reward_runs_total{status=\"closed\"}")).isEqualTo("1.0");
      assertThat(rig.metric("ledger_intents_total{result=\"accepted\"}")).isEqualTo("2.0");
      assertThat(rig.metric("reward_conservation_delta_minor")).isEqualTo("0.0");
    }
  }

  @Test
  void theSameAgainIsKnownAndOtherInputsAreRefused() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      String first = rig.compute("e1", LINES);
      assertThat(rig.compute("e1", LINES)).isEqualTo(first);
      assertThat(rig.compute("e1", LINES + LINES))
          .startsWith("409 ")
          .contains("\"code\":\"other-inputs\"");
    }
    try (Rig rig = Rig.open(folder)) {
      assertThat(rig.compute("e1", LINES)).startsWith("200 ");
      assertThat(rig.compute("e1", LINES + LINES)).startsWith("409 ");
      assertThat(rig.get("/rewarder/epochs")).contains("\"status\":\"closed\"");
    }
  }

  @Test
  void oneHundredCallersRaceForOneRun() throws Exception {
    var runs = new AtomicInteger();
    RunSteps steps =
        step -> {
          if (step.equals("documents-read")) {
            runs.incrementAndGet();
          }
        };
    try (Rig rig = new Rig(folder, Map.of(), null, Calculus.EXACT, steps)) {
      String accounting = rig.seal(LINES);
      String ledger = rig.ledger("e1", "1000000");
      String policy = rig.seal(Rig.POLICY);
      var start = new CountDownLatch(1);
      var answers = new ArrayList<String>();
      var threads = new ArrayList<Thread>();
      for (int i = 0; i < 100; i++) {
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        start.await();
                        String answer = rig.compute("e1", accounting, ledger, policy, false);
                        synchronized (answers) {
                          answers.add(answer);
                        }
                      } catch (Exception e) {
                        throw new AssertionError(e);
                      }
                    }));
      }
      start.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(answers).hasSize(100);
      assertThat(List.copyOf(new java.util.TreeSet<>(answers))).hasSize(1);
      assertThat(runs.get()).isEqualTo(1);
      rig.awaitSettlement("e1", "settled");
      assertThat(rig.metric("ledger_intents_total{result=\"accepted\"}")).isEqualTo("2.0");
    }
  }

  @Test
  void aBreachOfConservationIsQuarantinedAndNothingIsPaid() throws Exception {
    Calculus generous =
        new Calculus(
            (budget, score, total) -> {
              Wide.Division exact = budget.timesDividedBy(score, total);
              return new Wide.Division(exact.quotient().plus(Wide.ONE), exact.remainder());
            });
    try (Rig rig = new Rig(folder, Map.of(), null, generous, RunSteps.IGNORED)) {
      assertThat(rig.compute("e1", LINES)).startsWith("409 ").contains("\"code\":\"quarantined\"");
      assertThat(rig.get("/rewarder/epochs/e1"))
          .startsWith("200 ")
          .contains("\"code\":\"conservation\"")
          .contains("\"status\":\"quarantined\"");
      assertThat(rig.get("/rewarder/epochs/e1/allocations")).startsWith("409 ");
      assertThat(rig.get("/readyz")).startsWith("200 ");
      assertThat(rig.metric("quarantine_total{reason=\"conservation\"}")).isEqualTo("1.0");
    }
    // And with the right calculus after a restart: still quarantined, still nothing paid.
    try (Rig rig = Rig.open(folder)) {
      assertThat(rig.compute("e1", LINES)).startsWith("409 ");
      assertThat(rig.get("/rewarder/ledger")).contains("\"accounts\":0");
      assertThat(rig.compute("e1", LINES + "\n".repeat(0) + LINES)).startsWith("200 ");
    }
  }

  @Test
  void aBadLineRefusesTheRunOrHoldsItsActor() throws Exception {
    String bad = LINES + "{\"actor\":\"mallory\",\"metric\":\"lies\",\"units\":\"5\"}\n";
    try (Rig rig = Rig.open(folder)) {
      assertThat(rig.compute("e1", bad)).startsWith("409 ").contains("line 4: unknown-metric");
      String hold = rig.seal(Rig.POLICY.replace("refuse", "hold"));
      bad += "{\"actor\":\"mallory\",\"metric\":\"uptime\",\"units\":\"1000\"}\n";
      assertThat(rig.compute("e2", rig.seal(bad), rig.ledger("e2", "1000"), hold, false))
          .startsWith("200 ")
          .contains("\"held_actors\":1")
          .contains("\"lines\":2,")
          .contains("\"held_minor\":\"291\"");
      assertThat(rig.get("/rewarder/epochs/e2/held"))
          .contains("\"held_minor\":\"291\",\"reasons\":[\"unknown-metric\"]");
      assertThat(rig.get("/rewarder/epochs/e2/allocations/mallory")).contains("held is 291");
    }
  }

  @Test
  void aDryRunIsKeptAndNeverPaid() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      String accounting = rig.seal(LINES);
      String ledger = rig.ledger("e1", "1000000");
      String dry = rig.compute("e1", accounting, ledger, rig.seal(Rig.POLICY), true);
      assertThat(dry).startsWith("200 ").contains("\"status\":\"dry-run\"");
      assertThat(rig.get("/rewarder/epochs/e1/settlement")).contains("\"state\":\"never\"");
      String real = rig.compute("e1", accounting, ledger, rig.seal(Rig.POLICY), false);
      assertThat(Rig.field(real, "root")).isEqualTo(Rig.field(dry, "root"));
      rig.awaitSettlement("e1", "settled");
    }
  }

  @Test
  void whatIsWrongWithARequestIsSaid() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      String a = rig.seal(LINES);
      String p = rig.seal(Rig.POLICY);
      String path = "/rewarder/epochs/e1/compute";
      assertThat(rig.post(path, "{}", "")).startsWith("400 ").contains("accounting: is missing");
      assertThat(rig.post(path, Rig.body("b3:12", a, p, false), "")).startsWith("400 ");
      assertThat(rig.post(path, Rig.body(a, a, p, false).replace("{", "{\"x\":1,"), ""))
          .startsWith("400 ")
          .contains("x: is not a known field");
      assertThat(rig.compute("e1", a, rig.ledger("e2", "1"), p, false))
          .startsWith("422 ")
          .contains("is for epoch e2");
      assertThat(rig.get("/rewarder/epochs/e1")).startsWith("422 ");
      assertThat(rig.compute("e1", a, rig.ledger("e1", "1"), a, false)).startsWith("422 ");
      String nothing = "b3:" + "0".repeat(64);
      assertThat(rig.compute("e1", nothing, rig.ledger("e1", "1"), p, false)).startsWith("404 ");
      assertThat(rig.get("/rewarder/epochs/e9")).startsWith("404 ");
      assertThat(rig.get("/rewarder/epochs/..%2f")).startsWith("400 ");
    }
  }

  @Test
  void aBrokenSealIsFoundBeforeAnythingIsUsed() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      String accounting = rig.seal(LINES);
      Files.writeString(folder.resolve("inputs").resolve(accounting), LINES.replace("300", "900"));
      assertThat(rig.compute("e1", accounting, rig.ledger("e1", "10"), rig.seal(Rig.POLICY), false))
          .startsWith("502 ")
          .contains("\"code\":\"seal-broken\"");
      Files.writeString(folder.resolve("inputs").resolve(accounting), "rubbish");
      assertThat(rig.compute("e1", accounting, rig.ledger("e1", "10"), rig.seal(Rig.POLICY), false))
          .startsWith("502 ");
      rig.seal(LINES);
      assertThat(rig.compute("e1", accounting, rig.ledger("e1", "10"), rig.seal(Rig.POLICY), false))
          .startsWith("200 ");
    }
  }

  @Test
  void simulationSaysWhoGainsAndWhoLoses() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      rig.compute("e1", LINES);
      String other = rig.seal(Rig.POLICY.replace("\"uptime\":300000", "\"uptime\":7000000"));
      String answer =
          rig.post(
              "/rewarder/simulate", "{\"epochs\":[\"e1\"],\"policy\":\"%s\"}".formatted(other), "");
      assertThat(answer)
          .startsWith("200 ")
          .contains("\"gainers\":1")
          .contains("\"losers\":1")
          .contains("\"most_lost\":[{\"actor\":\"did:ron:bob\"");
    }
  }

  @Test
  void everyVerbNeedsACapabilityAndHealthDoesNot() throws Exception {
    KeyRing keys = KeyRing.generate(new SplittableRandom(1));
    var minting = new TokenMint(keys, new SplittableRandom(2));
    String all = "Bearer " + minting.mint(List.of()).token();
    String other =
        "Bearer " + minting.mint(List.of(new Caveat.Operation(Set.of("compute")))).token();
    var verifier = new Verifier(new Trust(keys, Revocations.NONE));
    try (Rig rig = new Rig(folder, Map.of(), verifier, Calculus.EXACT, RunSteps.IGNORED)) {
      assertThat(rig.get("/healthz")).startsWith("200 ");
      assertThat(rig.get("/rewarder/epochs")).startsWith("401 ").contains("\"code\":\"unauth\"");
      assertThat(rig.get("/rewarder/epochs", "Authorization", all)).startsWith("200 ");
      assertThat(rig.get("/rewarder/epochs", "Authorization", other))
          .startsWith("403 ")
          .contains("\"code\":\"forbidden\"");
    }
  }

  @Test
  void amnesiaKeepsEverythingInMemory() throws Exception {
    try (Rig rig = Rig.open(folder, "amnesia=true")) {
      assertThat(rig.compute("e1", LINES)).startsWith("200 ");
      rig.awaitSettlement("e1", "settled");
      assertThat(rig.get("/rewarder/epochs/e1/allocations/did:ron:bob")).startsWith("200 ");
    }
    assertThat(Files.exists(folder.resolve("rewarder"))).isFalse();
  }

  @Test
  void policiesMustBeSignedByAKeyThatIsTrusted() throws Exception {
    try (Rig rig = Rig.open(folder, "require_signed_policy=true", "post_quantum=true")) {
      assertThat(rig.compute("e1", LINES))
          .startsWith("422 ")
          .contains("\"code\":\"unsigned-policy\"");
      String signed = SignedPolicy.with(folder.resolve("rewarder/keys"), Rig.POLICY);
      assertThat(
              rig.compute("e1", rig.seal(LINES), rig.ledger("e1", "10"), rig.seal(signed), false))
          .startsWith("200 ")
          .contains("\"alg\":\"ed25519\"")
          .contains("\"alg\":\"ml-dsa-65\"");
      assertThat(rig.get("/rewarder/epochs/e1/verify")).contains("\"attested\":true");
      String forged = signed.replace("700000", "700001");
      assertThat(
              rig.compute("e2", rig.seal(LINES), rig.ledger("e2", "10"), rig.seal(forged), false))
          .startsWith("422 ");
    }
  }

  @Test
  @SeedRow({"R22", "R35"})
  void aReloadChangesWhomARunningRewarderTrustsAndHowLongARunHas() throws Exception {
    Path keys = folder.resolve("stranger");
    String signed = SignedPolicy.with(keys, Rig.POLICY);
    String stranger =
        Attestor.open(new RealDisk(), keys, List.of(SignatureKind.ED25519)).publicKeys().stream()
            .collect(Collectors.joining("\", \"", "[\"", "\"]"));
    try (Rig rig = Rig.open(folder, "require_signed_policy=true")) {
      String[] inputs = {rig.seal(LINES), rig.ledger("e", "10"), rig.seal(signed)};
      assertThat(rig.compute("e", inputs[0], inputs[1], inputs[2], false))
          .startsWith("422 ")
          .contains("\"code\":\"unsigned-policy\"");
      rig.reload("require_signed_policy=true", "policy_keys=" + stranger, "workers=7");
      assertThat(rig.compute("e", inputs[0], inputs[1], inputs[2], false)).startsWith("200 ");
      rig.reload("epoch_duration=2ms");
      assertThat(rig.compute("late", LINES)).as("half of 2 ms").doesNotStartWith("200 ");
      rig.reload("epoch_duration=1d");
      assertThat(rig.compute("late", LINES)).startsWith("200 ");
      assertThat(rig.metric("tasks_spawned_total{kind=\"worker\"}"))
          .as("workers need a restart")
          .isNotEqualTo("7.0");
    }
  }

  @Test
  @SeedRow({"R39", "R51", "R75", "R76"})
  void theDoorHasTheBoundsOfItsSettings() throws Exception {
    try (Rig rig =
        Rig.open(
            folder,
            "server.read_timeout=50ms",
            "server.write_timeout=50ms",
            "server.idle_timeout=100ms",
            "server.max_body_bytes=1KiB")) {
      String large = "{\"accounting\":\"" + "0".repeat(2_000) + "\"}";
      assertThat(rig.post("/rewarder/epochs/e/compute", large, "")).startsWith("413 ");
      int port = rig.wired.door().port();
      try (var silent = new Socket(InetAddress.getLoopbackAddress(), port);
          var half = new Socket(InetAddress.getLoopbackAddress(), port)) {
        half.getOutputStream().write("GET /hea".getBytes(StandardCharsets.US_ASCII));
        silent.setSoTimeout(20_000);
        half.setSoTimeout(20_000);
        assertThat(silent.getInputStream().read()).as("60 s by default").isEqualTo(-1);
        assertThat(half.getInputStream().read()).as("5 s by default").isIn(-1, (int) 'H');
      }
      rig.awaitMetric("io_timeouts_total{op=\"read\"}", "1.0");
    }
  }

  /** A body that has not come to its end holds its place. */
  @Test
  @SeedRow("R74")
  void theDoorTakesAsManyRequestsAtATimeAsItIsTold() throws Exception {
    try (Rig rig = Rig.open(folder, "server.max_inflight=1")) {
      var first = new Socket(InetAddress.getLoopbackAddress(), rig.wired.door().port());
      assertThat(rig.get("/rewarder/epochs")).startsWith("200 ");
      String head = "POST /rewarder/epochs/e/compute HTTP/1.1\r\nHost: localhost\r\n";
      String fields = "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{";
      first.getOutputStream().write((head + fields).getBytes(StandardCharsets.US_ASCII));
      rig.awaitMetric("inflight_requests{route=\"/rewarder/epochs/{epoch}/compute\"}", "1.0");
      assertThat(rig.get("/rewarder/epochs")).startsWith("429 ").contains("busy");
      first.close();
      rig.awaitMetric("inflight_requests{route=\"/rewarder/epochs/{epoch}/compute\"}", "0.0");
      assertThat(rig.get("/rewarder/epochs")).startsWith("200 ");
    }
  }
}
