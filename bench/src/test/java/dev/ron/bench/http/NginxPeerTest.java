package dev.ron.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.bench.http.NginxPeer.Protocol;
import dev.ron.bench.load.HttpSide;
import dev.ron.bench.load.Load;
import dev.ron.bench.load.LoadGenerator;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.ProcStat;
import dev.ron.bench.process.SearchPath;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NginxPeerTest {
  private static final SearchPath MACHINE = SearchPath.ofMachine();

  @TempDir Path root;
  private Peer nginx;

  @BeforeEach
  void needsNginx() throws Exception {
    nginx = NginxPeer.find(MACHINE);
    assumeTrue(nginx.isPresent(), "NOT RUN: " + nginx.absence());
    Files.writeString(root.resolve("small"), "hello");
  }

  @Test
  void itServesFilesAndEndsWithAllItsWorkers() throws Exception {
    List<Long> workers;
    try (var server = NginxPeer.serving(nginx, root, 2, Protocol.HTTP_1)) {
      assertThat(body(server.uri().resolve("/small"))).isEqualTo("200 hello");
      assertThat(body(server.uri().resolve("/other"))).startsWith("404 ");
      ProcessHandle master = ProcessHandle.of(server.process().pid()).orElseThrow();
      workers = workers(master, 2);
    }
    assertThat(workers).allMatch(pid -> ProcStat.of(pid).map(ProcStat::hasEnded).orElse(true));
  }

  /** The first worker may answer before the second is there. */
  private static List<Long> workers(ProcessHandle master, int count) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    List<Long> found = List.of();
    while (found.size() != count && System.nanoTime() - end < 0) {
      found = master.descendants().map(ProcessHandle::pid).toList();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
    assertThat(found).hasSize(count);
    return found;
  }

  @Test
  void itAnswersATextBesideTheFiles() throws Exception {
    try (var server = NginxPeer.answering(nginx, "/text", "from-memory", root, 1)) {
      assertThat(body(server.uri().resolve("/text"))).isEqualTo("200 from-memory");
      assertThat(body(server.uri().resolve("/small"))).isEqualTo("200 hello");
    }
  }

  @Test
  void itPassesRequestsOn() throws Exception {
    try (var behind = NginxPeer.serving(nginx, root, 1, Protocol.HTTP_1);
        var front = NginxPeer.proxying(nginx, behind.uri(), 1)) {
      assertThat(body(front.uri().resolve("/small"))).isEqualTo("200 hello");
    }
  }

  @Test
  void itPassesNothingOnToAnotherMachine() {
    assertThatThrownBy(() -> NginxPeer.proxying(nginx, URI.create("http://192.0.2.1/"), 1))
        .hasMessageContaining("loopback");
  }

  @Test
  void wrkMeasuresItUnderLoad() throws Exception {
    measuredBy(LoadGenerator.wrk(MACHINE), Protocol.HTTP_1);
  }

  @Test
  void h2loadMeasuresItUnderLoad() throws Exception {
    measuredBy(LoadGenerator.h2load(MACHINE), Protocol.HTTP_2);
  }

  @Test
  void aServerThatAnswersBadlyIsNoResult() throws Exception {
    LoadGenerator wrk = LoadGenerator.wrk(MACHINE);
    assumeTrue(wrk.program().isPresent(), "NOT RUN: " + wrk.program().absence());
    try (var server = NginxPeer.serving(nginx, root, 1, Protocol.HTTP_1)) {
      var load = new Load(server.uri().resolve("/other"), 2, 1, 1);
      assertThatThrownBy(() -> new HttpSide(wrk, load, server::cpuTime).measure())
          .hasMessageContaining("did not answer well under load");
    }
  }

  @Test
  void aPathThatWouldBreakTheConfigurationIsRefused() {
    for (String path : new String[] {"/a\"b", "/a$b", "/a;b", "/a b"}) {
      assertThatThrownBy(() -> NginxPeer.serving(nginx, Path.of(path), 1, Protocol.HTTP_1))
          .hasMessageContaining("not usable in an nginx configuration");
    }
  }

  private void measuredBy(LoadGenerator generator, Protocol protocol) throws Exception {
    assumeTrue(generator.program().isPresent(), "NOT RUN: " + generator.program().absence());
    try (var server = NginxPeer.serving(nginx, root, 1, protocol)) {
      var load = new Load(server.uri().resolve("/small"), 4, 1, 1);
      HttpSide.Sample sample = new HttpSide(generator, load, server::cpuTime).measure();
      assertThat(sample.requestsPerSecond()).isPositive();
      // On a starved machine a second's load is too few ticks for a rate, and then it says so.
      assertThat(sample.requestsPerCpuSecond()).matches(rate -> Double.isNaN(rate) || rate > 0);
      assertThat(server.cpuTime().seconds()).isPositive();
      assertThat(sample.p50Millis()).isPositive();
      assertThat(sample.p99Millis()).isGreaterThanOrEqualTo(sample.p50Millis());
    }
  }

  private static String body(URI uri) throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      var answer = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    }
  }
}
