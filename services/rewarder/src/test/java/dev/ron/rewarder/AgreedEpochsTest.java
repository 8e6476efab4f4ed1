package dev.ron.rewarder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.rewarder.epoch.RunSteps;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rewarders of several machines, of which each has files of its own: an epoch is paid once. */
@Timeout(120)
final class AgreedEpochsTest {
  private static final String LINES = "actor,metric,units\na,uptime,1\nb,uptime,3\n";
  private static final String OTHER = "actor,metric,units\na,uptime,9\nc,uptime,1\n";

  @TempDir private Path folder;
  private final SharedEpochs epochs = new SharedEpochs();

  private Rig rig(String name, SharedEpochs.Machine log, RunSteps steps) throws Exception {
    return Rig.shared(
        folder.resolve(name), log, steps, "inputs_folder=" + folder.resolve("a").resolve("inputs"));
  }

  private Rig rig(String name) throws Exception {
    return rig(name, epochs.machine(), RunSteps.IGNORED);
  }

  /** Inputs lie where every machine reads them: sealed by the machine {@code by}. */
  private static String compute(Rig rig, Rig by, String epoch, String lines) throws Exception {
    return rig.compute(
        epoch, by.seal(lines), by.ledger(epoch, "1000000"), by.seal(Rig.POLICY), false);
  }

  private static void awaitReady(Rig rig) throws Exception {
    var time = rig.scope.time();
    var giveUp = time.now().plusSeconds(60);
    while (!rig.scope.readiness().ready()) {
      if (!time.now().isBefore(giveUp)) {
        throw new AssertionError("not ready: " + rig.scope.readiness().missing());
      }
      time.sleepUntil(time.now().plusMillis(5));
    }
  }

  @Test
  void ofTwoMachinesOneClosesAnEpoch() throws Exception {
    try (Rig a = rig("a");
        Rig b = rig("b")) {
      awaitReady(a);
      awaitReady(b);
      String manifest = compute(a, a, "e", LINES);
      assertThat(manifest).startsWith("200 ");
      a.awaitSettlement("e", "settled");
      assertThat(compute(b, a, "e", OTHER)).startsWith("409 ").contains("other-inputs");
      assertThat(b.get("/rewarder/ledger")).contains("\"credits_minor\":\"0\"");
      assertThat(compute(b, a, "e", LINES))
          .startsWith("200 ")
          .contains(Rig.field(manifest, "root"));
    }
  }

  @Test
  void aMachineThatTakesOverHasWhatTheLostOneClosed() throws Exception {
    String manifest;
    String ledger;
    try (Rig a = rig("a")) {
      awaitReady(a);
      manifest = compute(a, a, "e", LINES);
      assertThat(compute(a, a, "f", OTHER)).startsWith("200 ");
      a.awaitSettlement("e", "settled");
      a.awaitSettlement("f", "settled");
      ledger = a.get("/rewarder/ledger");
    }
    try (Rig b = rig("b")) {
      awaitReady(b);
      assertThat(b.get("/rewarder/epochs/e")).contains(Rig.field(manifest, "root"));
      b.awaitSettlement("e", "settled");
      b.awaitSettlement("f", "settled");
      assertThat(b.get("/rewarder/ledger")).isEqualTo(ledger);
    }
  }

  @Test
  void whatAMachineClosedBeforeThereWereOthersIsItsOwn() throws Exception {
    String inputs = "inputs_folder=" + folder.resolve("a").resolve("inputs");
    try (Rig alone = Rig.open(folder.resolve("a"), inputs)) {
      assertThat(compute(alone, alone, "e", LINES)).startsWith("200 ");
      alone.awaitSettlement("e", "settled");
    }
    try (Rig a = rig("a")) {
      awaitReady(a);
      try (Rig b = rig("b")) {
        assertThat(compute(b, a, "e", OTHER)).startsWith("409 ");
      }
    }
  }

  @Test
  void aMachineThatIsCutOffClosesAndPaysNothing() throws Exception {
    SharedEpochs.Machine way = epochs.machine();
    try (Rig a = rig("a", way, RunSteps.IGNORED);
        Rig b = rig("b")) {
      awaitReady(a);
      awaitReady(b);
      way.cut(true);
      assertThat(compute(a, a, "e", LINES)).startsWith("503 ").contains("agreed");
      assertThat(a.get("/rewarder/ledger")).contains("\"credits_minor\":\"0\"");
      assertThat(compute(b, a, "e", OTHER)).startsWith("200 ");
      way.cut(false);
      assertThat(compute(a, a, "e", LINES)).startsWith("409 ");
    }
  }

  /** Closed alone and not paid yet, and then the cluster formed without a word of it. */
  @Test
  void aRunThatTheOthersDoNotHaveIsNotPaid() throws Exception {
    String inputs = "inputs_folder=" + folder.resolve("a").resolve("inputs");
    String ledger = "ledger.sink=http";
    String nowhere = "ledger.url=http://127.0.0.1:1/";
    try (Rig alone = Rig.open(folder.resolve("a"), inputs, ledger, nowhere);
        Rig b = rig("b")) {
      awaitReady(b);
      assertThat(compute(alone, alone, "e", LINES)).startsWith("200 ");
      assertThat(compute(b, alone, "e", OTHER)).startsWith("200 ");
    }
    try (Rig a = rig("a")) {
      a.awaitSettlement("e", "stalled");
      assertThat(a.get("/rewarder/epochs/e/settlement")).contains("is closed by run");
      assertThat(a.get("/rewarder/ledger")).contains("\"credits_minor\":\"0\"");
    }
  }

  @Test
  void anEpochThatWasBegunOnAMachineThatDiesIsComputedOnAnother() throws Exception {
    var dies = new AtomicBoolean(true);
    RunSteps steps =
        step -> {
          if (step.equals("claimed") && dies.getAndSet(false)) {
            throw new IllegalStateException("it dies here");
          }
        };
    try (Rig a = rig("a", epochs.machine(), steps)) {
      awaitReady(a);
      assertThat(compute(a, a, "e", LINES)).startsWith("503 ");
      assertThat(a.get("/rewarder/ledger")).contains("\"credits_minor\":\"0\"");
    }
    try (Rig b = rig("b")) {
      awaitReady(b);
      b.awaitSettlement("e", "settled");
    }
  }
}
