package dev.ron.rewarder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.ChildJvm;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL between any two steps of compute, write and emit: one manifest, every line paid once.
 *
 * <p>Each epoch is killed at one step, the next process goes on with it while it is itself killed
 * at another; in the end a last process settles everything.
 */
@Timeout(900)
final class KillTest {
  private static final List<String> STEPS =
      List.of(
          "documents-read",
          "accounting-read",
          "allocated",
          "attested",
          "kept",
          "intents-sent",
          "batch-taken",
          "batch-recorded",
          "any");

  /** More than two batches of the embedded ledger. */
  private static final int ACTORS = 2500;

  @TempDir private Path folder;

  @Test
  void everyStepIsSurvivedOnce() throws Exception {
    killAndSettle(10, Long.getLong("ron.seed", 1));
  }

  @Test
  @Tag("long")
  @Timeout(3600) // 200 starts of a JVM on a machine that runs other tests beside it
  void twoHundredKillsAreSurvived() throws Exception {
    killAndSettle(200, Long.getLong("ron.seed", 2));
  }

  private void killAndSettle(int rounds, long seed) throws Exception {
    var random = new SplittableRandom(seed);
    String policy = Rig.seal(folder.resolve("inputs"), Rig.POLICY.getBytes(UTF_8));
    String accounting = Rig.seal(folder.resolve("inputs"), accounting());
    String[] bodies = new String[rounds];
    String[] manifests = new String[rounds];
    for (int round = 0; round < rounds; round++) {
      String ledger =
          "{\"pool_minor\":\"1000003\",\"asset\":\"ROC\",\"epoch\":\"e%d\"}".formatted(round);
      String sealed = Rig.seal(folder.resolve("inputs"), ledger.getBytes(UTF_8));
      bodies[round] = Rig.body(accounting, sealed, policy, false);
      kill(round, STEPS.get(round % STEPS.size()), bodies, manifests, random);
    }
    try (ChildJvm child = start("never", 1);
        HttpClient http = HttpClient.newHttpClient()) {
      int port = Integer.parseInt(child.line());
      for (int round = 0; round < rounds; round++) {
        String manifest = send(http, port, "e" + round, bodies[round], 60);
        assertThat(manifest).as("seed %d, epoch %d", seed, round).startsWith("200 ");
        if (manifests[round] != null) {
          assertThat(manifest).as("what was told once stays").isEqualTo(manifests[round]);
        }
        settled(http, port, round);
      }
      balances(http, port, rounds);
      child.kill9();
    }
    try (var runs = Files.list(folder.resolve("rewarder/runs"))) {
      assertThat(runs).as("one manifest for each epoch").hasSize(rounds);
    }
  }

  private static byte[] accounting() {
    var text = new StringBuilder("actor,metric,units\n");
    for (int i = 0; i < ACTORS; i++) {
      text.append("actor-").append(i).append(",uptime,").append(1 + i % 5).append('\n');
    }
    return text.toString().getBytes(UTF_8);
  }

  private ChildJvm start(String step, int times) throws IOException {
    return ChildJvm.start(KilledMain.class, folder.toString(), step, Integer.toString(times));
  }

  private void kill(
      int round, String step, String[] bodies, String[] manifests, SplittableRandom random)
      throws Exception {
    boolean byClock = step.equals("any");
    int times = step.startsWith("batch") ? 1 + random.nextInt(2) : 1;
    try (ChildJvm child = start(step, times);
        HttpClient http = HttpClient.newHttpClient()) {
      String said = child.line();
      if (said.startsWith("at ")) {
        // It went on with an earlier epoch and got there before its door was open.
        child.kill9();
        return;
      }
      int port = Integer.parseInt(said);
      var asking =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      String answer = send(http, port, "e" + round, bodies[round], 60);
                      manifests[round] = answer.startsWith("200 ") ? answer : null;
                    } catch (IOException | InterruptedException killed) {
                      // that is what this test does
                    }
                  });
      if (byClock) {
        var time = new SystemTime();
        time.sleepUntil(time.now().plus(Duration.ofMillis(random.nextInt(400))));
      } else {
        assertThat(child.line()).isEqualTo("at " + step);
      }
      child.kill9();
      asking.join();
    }
  }

  private static String send(HttpClient http, int port, String epoch, String body, int wait)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(
                    URI.create(
                        "http://127.0.0.1:%d/rewarder/epochs/%s/compute".formatted(port, epoch)))
                .header("Prefer", "wait=" + wait)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body();
  }

  private static String get(HttpClient http, int port, String path)
      throws IOException, InterruptedException {
    return http.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static void settled(HttpClient http, int port, int round) throws Exception {
    var time = new SystemTime();
    var giveUp = time.now().plusSeconds(60);
    String state = "";
    while (!state.equals("settled")) {
      assertThat(time.now()).as("epoch %d is %s", round, state).isBefore(giveUp);
      state = Rig.field(get(http, port, "/rewarder/epochs/e" + round + "/settlement"), "state");
      time.sleepUntil(time.now().plusMillis(5));
    }
  }

  /** Each actor has, over all epochs, exactly what its lines say; the pools have the rest. */
  private static void balances(HttpClient http, int port, int rounds) throws Exception {
    for (int actor : new int[] {0, 1, 1023, 1024, 2047, 2048, ACTORS - 1}) {
      String line = get(http, port, "/rewarder/epochs/e0/allocations/actor-" + actor);
      long amount = Long.parseLong(Rig.field(line, "amount_minor"));
      String account = get(http, port, "/rewarder/ledger/actor:ROC:actor-" + actor);
      assertThat(Rig.field(account, "balance_minor"))
          .as("actor %d", actor)
          .isEqualTo(Long.toString(rounds * amount));
    }
    for (int round = 0; round < rounds; round++) {
      String residual = Rig.field(get(http, port, "/rewarder/epochs/e" + round), "residual_minor");
      String pool = get(http, port, "/rewarder/ledger/pool:ROC:e" + round);
      assertThat(Rig.field(pool, "balance_minor")).as("pool %d", round).isEqualTo(residual);
    }
    assertThat(Rig.field(get(http, port, "/rewarder/ledger"), "sum_minor")).isEqualTo("0");
  }
}
