package dev.ron.bench.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.run.Comparison;
import dev.ron.bench.run.TestRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlushBenchmarkTest {
  @Test
  void withoutPeersOursIsMeasuredAndThePeersAreAbsent(@TempDir Path empty) throws Exception {
    List<Comparison> results = run(new SearchPath(List.of(empty)));
    assertThat(results)
        .extracting(Comparison::caseName)
        .containsExactly(
            "append-4k-rate", "append-4k-cpu", "append-4k-rate", "append-4k-p50", "append-4k-p99");
    assertThat(results)
        .allMatch(one -> one.peer() == null && one.ratio() == null)
        .filteredOn(one -> !one.caseName().endsWith("cpu"))
        .allMatch(one -> one.ours() != null && one.ours() > 0)
        .extracting(Comparison::absent)
        .containsExactly(
            "dd is not installed; apt-get install coreutils",
            "fio is not installed; apt-get install fio",
            "fio is not installed; apt-get install fio",
            "fio is not installed; apt-get install fio");
  }

  @Test
  void withPeersBothSidesAreMeasured() throws Exception {
    SearchPath machine = SearchPath.ofMachine();
    for (Peer peer : new FlushBenchmark().peers(machine)) {
      assumeTrue(peer.isPresent(), "NOT RUN: " + peer.absence());
    }
    // CPU time comes in hundredths of a second, which so few flushes are short of.
    assertThat(run(machine))
        .filteredOn(one -> !one.caseName().endsWith("cpu"))
        .hasSize(4)
        .allMatch(one -> one.ratio() != null && one.ratio() > 0);
  }

  private static List<Comparison> run(SearchPath searchPath) throws Exception {
    return TestRun.of(new FlushBenchmark(60), searchPath);
  }
}
