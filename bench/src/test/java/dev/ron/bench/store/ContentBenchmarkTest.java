package dev.ron.bench.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.run.Comparison;
import dev.ron.bench.run.TestRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class ContentBenchmarkTest {
  private final ContentBenchmark benchmark = new ContentBenchmark(1000, 0);

  @TempDir Path folder;

  @Test
  void withoutALoadGeneratorPutsAndStartsAreMeasuredAndGetsAreAbsent() throws Exception {
    List<Comparison> results = TestRun.of(benchmark, new SearchPath(List.of(folder)));
    assertThat(results)
        .extracting(Comparison::caseName)
        .containsExactly(
            "put-4k-64-writers",
            "put-4k-64-writers",
            "get-64k-once-cpu",
            "get-64k-once-rate",
            "get-64k-always-cpu",
            "get-64k-always-rate",
            "start-with-1000",
            "start-with-1000-heap");
    assertThat(results)
        .filteredOn(one -> !one.caseName().startsWith("get"))
        .allMatch(one -> one.ratio() != null && one.ratio() > 0);
    assertThat(results)
        .filteredOn(one -> one.caseName().startsWith("get"))
        .allMatch(one -> "wrk is not installed; apt-get install wrk".equals(one.absent()));
  }

  @Test
  void withNginxAndWrkEveryCaseHasAPeer() throws Exception {
    for (Peer peer : benchmark.peers(SearchPath.ofMachine())) {
      assumeTrue(peer.isPresent(), "NOT RUN: " + peer.absence());
    }
    List<Comparison> results = TestRun.of(benchmark, SearchPath.ofMachine());
    assertThat(results).hasSize(8);
    assertThat(results)
        // On a starved machine a second's load is too few ticks for a CPU rate, and it says so.
        .filteredOn(one -> !one.caseName().endsWith("-cpu"))
        .allMatch(one -> one.ratio() != null && one.ratio() > 0);
  }
}
