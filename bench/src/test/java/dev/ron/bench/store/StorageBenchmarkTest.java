package dev.ron.bench.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.bench.load.LoadGenerator;
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
class StorageBenchmarkTest {
  private final StorageBenchmark benchmark =
      new StorageBenchmark(List.of(StorageBenchmark.Size.KIB_4));

  @TempDir Path folder;

  @Test
  void withoutALoadGeneratorEveryCaseIsAbsent() throws Exception {
    List<Comparison> results = TestRun.of(benchmark, new SearchPath(List.of(folder)));
    assertThat(results)
        .extracting(one -> one.caseName() + " " + one.peerName())
        .containsExactly("get-4k nginx", "get-4k s3proxy", "put-4k s3proxy");
    assertThat(results).allMatch(one -> one.ours() == null && one.absent() != null);
  }

  @Test
  void readsAndWritesAreMeasuredAndAnAbsentPeerIsNamed() throws Exception {
    Peer wrk = LoadGenerator.wrk(SearchPath.ofMachine()).program();
    assumeTrue(wrk.isPresent(), "NOT RUN: " + wrk.absence());
    List<Comparison> results = TestRun.of(benchmark, SearchPath.ofMachine());
    assertThat(results)
        .extracting(Comparison::caseName)
        .containsExactly("get-4k", "get-4k-cpu", "get-4k", "get-4k-cpu", "put-4k", "put-4k-cpu");
    assertThat(results)
        .filteredOn(one -> !one.caseName().endsWith("-cpu"))
        .allMatch(one -> one.ours() != null && one.ours() > 0);
  }
}
