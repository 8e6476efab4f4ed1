package dev.ron.bench.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.run.Comparison;
import dev.ron.bench.run.TestRun;
import dev.ron.erasure.KernelChoice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ErasureBenchmarkTest {
  private static final String ABSENT = "isa-l is not installed; apt-get install libisal2";

  /** Half a turn is at least ten ticks, or there is no rate; see CpuTime. */
  private final ErasureBenchmark benchmark = new ErasureBenchmark(Duration.ofMillis(250));

  @Test
  void withoutIsalOursIsMeasuredAndIsalIsAbsent(@TempDir Path empty) throws Exception {
    List<Comparison> results = TestRun.of(benchmark, new SearchPath(List.of(empty)));
    assertNames(results);
    assertThat(results.subList(0, 2))
        .allMatch(one -> one.peer() == null && one.ratio() == null)
        .allMatch(one -> one.absent() != null && one.absent().equals(ABSENT));
  }

  @Test
  @Tag("long")
  void withIsalBothSidesAreMeasured() throws Exception {
    Peer isal = benchmark.peers(SearchPath.ofMachine()).getFirst();
    assumeTrue(isal.isPresent(), "NOT RUN: " + isal.absence());
    assertThat(isal.version()).startsWith("libisal.so.2");
    List<Comparison> results = TestRun.of(benchmark, SearchPath.ofMachine());
    assertNames(results);
    assertThat(results).allMatch(one -> one.ratio() != null && one.ratio() > 0);
  }

  /** The plain loop is ours, so the last line always has a peer. */
  private static void assertNames(List<Comparison> results) {
    String kernel = "/" + KernelChoice.atStart().name();
    assertThat(results)
        .extracting(Comparison::caseName)
        .containsExactly(
            "encode-6+3-arrays" + kernel,
            "encode-6+3-segments" + kernel,
            "encode-6+3-arrays" + kernel);
    assertThat(results).allMatch(one -> one.ours() != null && one.ours() > 0);
    assertThat(results.getLast().ratio()).isPositive();
  }
}
