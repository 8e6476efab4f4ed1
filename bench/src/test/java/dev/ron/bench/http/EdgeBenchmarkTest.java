package dev.ron.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.bench.process.SearchPath;
import dev.ron.bench.run.Comparison;
import dev.ron.bench.run.TestRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EdgeBenchmarkTest {
  @TempDir Path folder;

  @Test
  void withoutALoadGeneratorEveryCaseIsAbsent() throws Exception {
    List<Comparison> results = TestRun.of(new EdgeBenchmark(), new SearchPath(List.of(folder)));
    assertThat(results)
        .extracting(one -> one.caseName() + " / " + one.peerName())
        .containsExactly(
            "hit-64k-cpu / nginx",
            "hit-64k-rate / nginx",
            "hit-64k-cpu / varnishd",
            "hit-64k-rate / varnishd",
            "range-16k-cpu / nginx",
            "range-16k-rate / nginx",
            "range-16k-cpu / varnishd",
            "range-16k-rate / varnishd");
    assertThat(results)
        .allMatch(one -> "wrk is not installed; apt-get install wrk".equals(one.absent()));
  }

  @Test
  void withoutItsCheckoutTheSuiteIsAbsentAndNotPassed() throws Exception {
    List<Comparison> results =
        TestRun.of(new CacheTestsBenchmark(), new SearchPath(List.of(folder)));
    assertThat(results).hasSize(1);
    assertThat(results.getFirst().ours()).isNull();
    assertThat(results.getFirst().absent()).contains("is not installed");
  }
}
