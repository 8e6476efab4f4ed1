package dev.ron.bench.s3;

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
class S3BenchmarkTest {
  private static final String[] CASES = {
    "put-4k-64-writers-cpu",
    "put-4k-64-writers-rate",
    "put-4k-64-writers-p99",
    "get-64k-cpu",
    "get-64k-rate",
    "get-16m-cpu",
    "get-16m-rate",
    "create-1k-rate",
    "create-1k-cpu",
    "start-with-2500",
    "start-with-2500-heap",
    "list-of-2500-rate",
    "list-of-2500-cpu"
  };

  /** Two pages and a half, so that a listing goes on behind a page and ends in one. */
  private final S3Benchmark benchmark = new S3Benchmark(2500, 1);

  @TempDir Path folder;

  @Test
  void withoutPeersOursIsMeasuredAndWhatIsMissingIsNamed() throws Exception {
    List<Comparison> results = TestRun.of(benchmark, new SearchPath(List.of(folder)));
    assertThat(results).extracting(Comparison::caseName).containsExactly(CASES);
    assertThat(results)
        .filteredOn(one -> one.caseName().startsWith("put") && !one.caseName().endsWith("-cpu"))
        .allMatch(one -> one.ours() != null && one.ours() > 0)
        .allMatch(one -> one.absent() != null && one.absent().contains("s3proxy"));
    assertThat(results)
        .filteredOn(one -> one.caseName().startsWith("get"))
        .allMatch(one -> "wrk is not installed; apt-get install wrk".equals(one.absent()));
    assertThat(results)
        .filteredOn(one -> one.peerName().equals("the aim") && !one.caseName().endsWith("-cpu"))
        .hasSize(4)
        .allMatch(one -> one.ratio() != null && one.ratio() > 0);
  }

  @Test
  void withEveryPeerEveryCaseHasARatio() throws Exception {
    for (Peer peer : benchmark.peers(SearchPath.ofMachine())) {
      assumeTrue(peer.isPresent(), "NOT RUN: " + peer.absence());
    }
    List<Comparison> results = TestRun.of(benchmark, SearchPath.ofMachine());
    assertThat(results).extracting(Comparison::caseName).containsExactly(CASES);
    assertThat(results)
        // On a starved machine a second's load is too few ticks for a CPU rate, and it says so.
        .filteredOn(one -> !one.caseName().endsWith("-cpu"))
        .allMatch(one -> one.ratio() != null && one.ratio() > 0);
  }
}
