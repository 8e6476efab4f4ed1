package dev.ron.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.bench.load.LoadGenerator;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.run.Comparison;
import dev.ron.bench.run.TestRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpBenchmarkTest {
  /** Whichever route is timed, the answers of all are compared first. */
  private final HttpBenchmark benchmark = new HttpBenchmark(List.of(HttpBenchmark.Route.RANGE), 0);

  private static final String CPU = "range-64k-cpu";
  private static final String RATE = "range-64k-rate";

  @TempDir Path folder;

  @Test
  void withoutALoadGeneratorEveryCaseIsAbsent() throws Exception {
    List<Comparison> results = TestRun.of(new HttpBenchmark(), new SearchPath(List.of(folder)));
    assertThat(results)
        .extracting(Comparison::caseName)
        .containsExactly(
            "hello-cpu",
            "hello-rate",
            "file-64k-cpu",
            "file-64k-rate",
            "range-64k-cpu",
            "range-64k-rate");
    assertThat(results)
        .allMatch(one -> one.ours() == null && one.peer() == null && one.rounds() == 0)
        .allMatch(one -> "wrk is not installed; apt-get install wrk".equals(one.absent()));
    assertThat(results.getFirst().json())
        .isEqualTo(
            "{\"bench\":\"http\",\"case\":\"hello-cpu\",\"ours\":null,\"peer\":null,"
                + "\"peer_name\":\"nginx\",\"unit\":\"requests/cpu-s\",\"ratio\":null,"
                + "\"rounds\":0,\"spread\":null,"
                + "\"absent\":\"wrk is not installed; apt-get install wrk\"}");
  }

  @Test
  void withoutNginxOursIsMeasuredAndNginxIsAbsent() throws Exception {
    Peer wrk = needsWrk();
    Path script = folder.resolve("wrk");
    Files.writeString(script, "#!/bin/sh\nexec " + wrk.command() + " \"$@\"\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    List<Comparison> results = TestRun.of(benchmark, new SearchPath(List.of(folder)));
    assertThat(results).extracting(Comparison::caseName).containsExactly(CPU, RATE);
    assertThat(results)
        .filteredOn(HttpBenchmarkTest::told)
        .allMatch(one -> one.ours() != null && one.ours() > 0 && one.peer() == null)
        .allMatch(one -> "nginx is not installed; apt-get install nginx".equals(one.absent()))
        .extracting(Comparison::caseName)
        .contains(RATE);
  }

  @Test
  @Tag("long")
  void withNginxBothSidesAreMeasured() throws Exception {
    needsWrk();
    Peer nginx = NginxPeer.find(SearchPath.ofMachine());
    assumeTrue(nginx.isPresent(), "NOT RUN: " + nginx.absence());
    List<Comparison> results = TestRun.of(benchmark, SearchPath.ofMachine());
    assertThat(results).extracting(Comparison::caseName).containsExactly(CPU, RATE);
    assertThat(results)
        .filteredOn(HttpBenchmarkTest::told)
        .allMatch(one -> one.ratio() != null && one.ratio() > 0)
        .extracting(Comparison::caseName)
        .contains(RATE);
  }

  /** On a starved machine a second's load is too few ticks for a CPU rate, and then it says so. */
  private static boolean told(Comparison one) {
    return one.absent() == null || !one.absent().startsWith("no usable reading of");
  }

  private static Peer needsWrk() {
    Peer wrk = LoadGenerator.wrk(SearchPath.ofMachine()).program();
    assumeTrue(wrk.isPresent(), "NOT RUN: " + wrk.absence());
    return wrk;
  }
}
