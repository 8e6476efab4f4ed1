package dev.ron.rewarder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the disk does while a run is closed: one run closes its epoch, and it is paid once. */
@Timeout(600)
final class ClosingFaultsTest {
  private static final int OPERATIONS_MAX = 200;
  private static final String ONE = "actor,metric,units\nalice,uptime,3\nbob,uptime,1\n";
  private static final String TWO = "actor,metric,units\nalice,uptime,1\ncarol,uptime,1\n";
  private static final String COMPUTE = "/rewarder/epochs/e/compute";

  @TempDir private Path folder;

  @Test
  @SeedRow("R72")
  void oneRunClosesTheEpochAndEveryFileWhicheverOperationFails() throws Exception {
    int reached = 0;
    while (reached < OPERATIONS_MAX && fails(reached, false)) {
      reached++;
    }
    assertThat(reached).as("operations of a run").isBetween(15, OPERATIONS_MAX - 1);
  }

  @Test
  void oneRunClosesTheEpochAlsoIfThePowerGoesOutAfterwards() throws Exception {
    int reached = 0;
    while (reached < OPERATIONS_MAX && fails(reached, true)) {
      reached++;
    }
    assertThat(reached).as("operations of a run").isBetween(15, OPERATIONS_MAX - 1);
  }

  /** False if there were fewer operations. */
  private boolean fails(int operation, boolean powerCut) throws Exception {
    Path home = folder.resolve("at-" + operation);
    var disk = new FailingDisk();
    String first;
    String second;
    String[] bodies = new String[2];
    try (Rig rig = Rig.open(home, disk)) {
      bodies[0] = body(rig, ONE);
      bodies[1] = body(rig, TWO);
      disk.failAfter(operation);
      first = rig.post(COMPUTE, bodies[0], "wait=20");
      second = rig.post(COMPUTE, bodies[1], "wait=20");
      // Asked again, the run comes about without a restart, unless the others have the epoch.
      assertThat(rig.post(COMPUTE, bodies[0], "wait=20"))
          .as("operation %d, %s, after %s", operation, disk.failed(), first)
          .startsWith(second.startsWith("200 ") ? "409 " : "200 ");
      settledOrFailed(rig, disk);
    }
    String at = "operation %d, %s".formatted(operation, disk.failed());
    assertThat(List.of(first, second)).as(at).noneMatch(answer -> answer.startsWith("202 "));
    assertThat(disk.open()).as(at + ": files that were not closed").isEmpty();
    disk.heal();
    if (powerCut) {
      disk.powerCut();
    }
    try (Rig rig = Rig.open(home, disk)) {
      String one = rig.post(COMPUTE, bodies[0], "wait=60");
      String two = rig.post(COMPUTE, bodies[1], "wait=60");
      if (first.startsWith("200 ")) {
        assertThat(one).as(at + ": what was told once stays").isEqualTo(first);
      }
      if (second.startsWith("200 ")) {
        assertThat(two).as(at + ": what was told once stays").isEqualTo(second);
      }
      assertThat(Stream.of(one, two).map(answer -> answer.substring(0, 4)))
          .as(at)
          .containsExactlyInAnyOrder("200 ", "409 ");
      rig.awaitSettlement("e", "settled");
      boolean ones = one.startsWith("200 ");
      assertThat(balances(rig)).as(at).isEqualTo(ones ? "750000 250000 0" : "500000 0 500000");
    }
    try (var runs = Files.list(home.resolve("rewarder/runs"))) {
      assertThat(runs).as(at).hasSize(1);
    }
    return disk.failed() != null;
  }

  private static void settledOrFailed(Rig rig, FailingDisk disk) throws Exception {
    var time = rig.scope.time();
    var giveUp = time.now().plusSeconds(90);
    while (disk.failed() == null
        && !rig.get("/rewarder/epochs/e/settlement").contains("\"settled\"")) {
      assertThat(time.now()).as("settled, or the disk failed").isBefore(giveUp);
      time.sleepUntil(time.now().plusMillis(5));
    }
  }

  private static String body(Rig rig, String accounting) throws IOException {
    return Rig.body(rig.seal(accounting), rig.ledger("e", "1000000"), rig.seal(Rig.POLICY), false);
  }

  private static String balances(Rig rig) throws IOException, InterruptedException {
    var balances = new StringBuilder();
    for (String actor : List.of("alice", "bob", "carol")) {
      String account = rig.get("/rewarder/ledger/actor:ROC:" + actor);
      boolean known = account.startsWith("200 ");
      balances.append(' ').append(known ? Rig.field(account, "balance_minor") : "0");
    }
    return balances.substring(1);
  }

  /** Data of an earlier version: two closed runs of one epoch, one of them paid. */
  @Test
  void ofTwoClosedRunsThePaidOneStaysAndTheOtherIsSetAside() throws Exception {
    for (String paid : List.of(ONE, TWO)) {
      String rival = paid.equals(ONE) ? TWO : ONE;
      Path home = folder.resolve(paid.equals(ONE) ? "one" : "two");
      String kept = close(home, paid);
      String other = close(folder.resolve("other-of-" + home.getFileName()), rival);
      move(folder.resolve("other-of-" + home.getFileName()), home, other);
      for (int start = 0; start < 2; start++) {
        try (Rig rig = Rig.open(home)) {
          assertThat(rig.get("/rewarder/epochs/e")).contains(kept);
          assertThat(rig.get("/readyz"))
              .startsWith("200 ")
              .contains("run " + other + " of epoch e is set aside", "has 0 of its 2 lines");
          assertThat(rig.post(COMPUTE, body(rig, rival), "wait=60")).startsWith("409 ");
          rig.awaitSettlement("e", "settled");
          assertThat(balances(rig))
              .isEqualTo(paid.equals(ONE) ? "750000 250000 0" : "500000 0 500000");
        }
      }
      assertThat(home.resolve("rewarder/set-aside").resolve(other).resolve("run.json")).exists();
    }
  }

  /** The run key, once it is paid. */
  private static String close(Path home, String accounting) throws Exception {
    try (Rig rig = Rig.open(home)) {
      String manifest = rig.compute("e", accounting);
      rig.awaitSettlement("e", "settled");
      return Rig.field(manifest, "run_key");
    }
  }

  private static void move(Path from, Path to, String runKey) throws IOException {
    Files.move(
        from.resolve("rewarder/runs").resolve(runKey), to.resolve("rewarder/runs").resolve(runKey));
  }
}
