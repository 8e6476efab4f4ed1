package dev.ron.bench.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.run.Comparison;
import dev.ron.bench.run.TestRun;
import dev.ron.blake3.kernel.HashKernelChoice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Blake3BenchmarkTest {
  private static final String ABSENT = "b3sum is not installed; apt-get install b3sum";

  /** Half a turn is at least ten ticks, or there is no rate; see CpuTime. */
  private final Blake3Benchmark benchmark =
      new Blake3Benchmark(List.of(Blake3Benchmark.SMALL), Duration.ofMillis(250));

  @Test
  void withoutB3sumOursIsMeasuredAndB3sumIsAbsent(@TempDir Path empty) throws Exception {
    List<Comparison> results = TestRun.of(benchmark, new SearchPath(List.of(empty)));
    assertNamesAndUnits(results);
    assertThat(results.subList(0, 2))
        .allMatch(one -> one.peer() == null && one.ratio() == null)
        .allMatch(one -> one.absent() != null && one.absent().equals(ABSENT));
  }

  @Test
  @Tag("long")
  void withB3sumBothSidesAreMeasured() throws Exception {
    Peer b3sum = benchmark.peers(SearchPath.ofMachine()).getFirst();
    assumeTrue(b3sum.isPresent(), "NOT RUN: " + b3sum.absence());
    List<Comparison> results = TestRun.of(benchmark, SearchPath.ofMachine());
    assertNamesAndUnits(results);
    assertThat(results).allMatch(one -> one.ratio() != null && one.ratio() > 0);
  }

  /** SHA-256 comes with the JDK, so the last line always has a peer. */
  private static void assertNamesAndUnits(List<Comparison> results) {
    String kernel = "/" + HashKernelChoice.settle();
    assertThat(results)
        .extracting(Comparison::caseName)
        .containsExactly(
            "64k-in-memory-vs-file" + kernel,
            "64k-file-vs-file" + kernel,
            "64k-in-memory-both" + kernel);
    assertThat(results)
        .allMatch(one -> one.unit().equals("GB/cpu-s"))
        .allMatch(one -> one.ours() != null && one.ours() > 0);
    assertThat(results.getLast().ratio()).isPositive();
  }
}
