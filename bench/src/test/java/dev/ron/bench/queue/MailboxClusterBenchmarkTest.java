package dev.ron.bench.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.bench.process.SearchPath;
import dev.ron.bench.run.Comparison;
import dev.ron.bench.run.TestRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts seven JVMs, so only with the long proofs. */
@Tag("long")
class MailboxClusterBenchmarkTest {
  @TempDir Path folder;

  @Test
  void threeMachinesAreMeasuredBesideOneAndBesideThreeGroups() throws Exception {
    List<Comparison> results =
        TestRun.of(new MailboxClusterBenchmark(3), new SearchPath(List.of(folder)));
    assertThat(results)
        .filteredOn(one -> one.peerName().startsWith("ours") && one.absent() == null)
        .extracting(one -> one.peerName() + ", " + one.caseName())
        .contains(
            "ours, one machine, send-rate",
            "ours, one machine, mixed-cpu",
            "ours, one machine, send-alone-p50",
            "ours, three groups, topics-mixed-rate");
    assertThat(results)
        .filteredOn(one -> one.peerName().contains("nats"))
        .isNotEmpty()
        .allMatch(one -> one.absent() != null);
  }
}
