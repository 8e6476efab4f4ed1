package dev.ron.bench.http;

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

class GatewayBenchmarkTest {
  @TempDir Path folder;

  @Test
  void withoutNginxThereIsNoUpstreamAndEveryCaseIsAbsent() throws Exception {
    List<Comparison> results = TestRun.of(new GatewayBenchmark(), new SearchPath(List.of(folder)));
    assertThat(results)
        .extracting(Comparison::caseName)
        .containsExactly("1k-cpu", "1k-rate", "64k-cpu", "64k-rate");
    assertThat(results)
        .allMatch(one -> "nginx is not installed; apt-get install nginx".equals(one.absent()));
  }

  @Test
  @Tag("long")
  void ourGatewayPassesOnWhatItsPeersPassOn() throws Exception {
    SearchPath machine = SearchPath.ofMachine();
    needs(NginxPeer.find(machine));
    needs(LoadGenerator.wrk(machine).program());
    var benchmark = new GatewayBenchmark(List.of(GatewayBenchmark.Size.LARGE), 0);
    List<Comparison> results = TestRun.of(benchmark, machine);
    assertThat(results)
        .filteredOn(one -> one.peerName().equals("nginx") && one.absent() == null)
        .extracting(Comparison::caseName)
        .contains("64k-rate");
    assertThat(results)
        .filteredOn(one -> one.peerName().equals("spring-cloud-gateway"))
        .allMatch(one -> one.absent() != null);
  }

  /** Half a minute of load, so only with the long proofs. */
  @Tag("long")
  @Test
  void fairnessIsMeasuredAndDrawn() throws Exception {
    List<Comparison> results = TestRun.of(new FairnessBenchmark(), SearchPath.ofMachine());
    assertThat(results)
        .extracting(Comparison::caseName)
        .contains("quiet-p99-32", "quiet-p99-128", "share-3-to-1", "jain-of-two-equals");
  }

  private static void needs(Peer peer) {
    assumeTrue(peer.isPresent(), "NOT RUN: " + peer.absence());
  }
}
