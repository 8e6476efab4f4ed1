package dev.ron.bench.http;

import dev.ron.bench.load.HttpSide;
import dev.ron.bench.load.Load;
import dev.ron.bench.load.LoadGenerator;
import dev.ron.bench.process.CpuTime;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.Rounds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests that our gateway passes on in a second and in a CPU second of its own, beside nginx,
 * HAProxy and Spring Cloud Gateway before the same upstream: answers of 1 KiB and of 64 KiB.
 *
 * <p>The upstream is another nginx. Each proxy gets half of the cores. All must answer the same
 * bytes before they are timed.
 *
 * <p>Threading: immutable.
 */
public final class GatewayBenchmark implements Benchmark {
  private static final int CONNECTIONS_PER_THREAD = 32;
  private static final int PLACES = 1024;

  /**
   * See {@link HttpBenchmark}: a fresh JVM is warm when it has spent so much CPU time. A proxy is
   * more code than a server, and after 5 s its first case was still a third of its last.
   */
  private static final int WARM_UP_CPU_SECONDS = 10;

  private static final int WARM_UP_LOADS_MAX = 30;

  /** What is asked for. */
  enum Size {
    SMALL("1k", 1 << 10),
    LARGE("64k", 64 << 10);

    private final String caseName;
    private final int bytes;

    Size(String caseName, int bytes) {
      this.caseName = caseName;
      this.bytes = bytes;
    }

    private String path() {
      return "/answer-" + caseName;
    }
  }

  /** A proxy that is up, and how to read its clock. */
  private record Running(URI uri, Supplier<CpuTime> cpu) {
    HttpSide side(LoadGenerator wrk, Size size, int share, int seconds) {
      URI target = uri.resolve(size.path());
      return new HttpSide(
          wrk, new Load(target, share * CONNECTIONS_PER_THREAD, share, seconds), cpu);
    }
  }

  private final List<Size> sizes;
  private final int warmUpCpuSeconds;

  public GatewayBenchmark() {
    this(List.of(Size.values()), WARM_UP_CPU_SECONDS);
  }

  /** With fewer sizes and less warming up, for tests of everything but the figures. */
  GatewayBenchmark(List<Size> sizes, int warmUpCpuSeconds) {
    this.sizes = List.copyOf(sizes);
    this.warmUpCpuSeconds = warmUpCpuSeconds;
  }

  @Override
  public String name() {
    return "gateway";
  }

  @Override
  public String what() {
    return "HTTP/1.1 requests proxied per second and per CPU second of the proxy under wrk";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(
        NginxPeer.find(searchPath),
        ProxyPeer.haproxy(searchPath),
        ProxyPeer.spring(searchPath),
        LoadGenerator.wrk(searchPath).program());
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    Peer nginx = NginxPeer.find(run.searchPath());
    LoadGenerator wrk = LoadGenerator.wrk(run.searchPath());
    if (!wrk.program().isPresent() || !nginx.isPresent()) {
      Peer lacking = nginx.isPresent() ? wrk.program() : nginx; // nginx is the upstream as well
      for (Size size : sizes) {
        run.absent(size.caseName + "-cpu", "requests/cpu-s", nginx, lacking);
        run.absent(size.caseName + "-rate", "requests/s", nginx, lacking);
      }
      return;
    }
    int share = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, Load.THREADS_MAX);
    try (TempFolder folder = TempFolder.create()) {
      Path files = Files.createDirectory(folder.path().resolve("served"));
      for (Size size : Size.values()) {
        byte[] content = new byte[size.bytes];
        new SplittableRandom(size.bytes).nextBytes(content);
        Files.write(files.resolve(size.path().substring(1)), content);
      }
      try (NginxPeer upstream = NginxPeer.serving(nginx, files, share, NginxPeer.Protocol.HTTP_1)) {
        contest(run, wrk, share, upstream.uri(), folder.path().resolve("gateway.log"));
      }
    }
  }

  private void contest(BenchRun run, LoadGenerator wrk, int share, URI upstream, Path log)
      throws IOException, InterruptedException {
    Peer nginx = NginxPeer.find(run.searchPath());
    Peer haproxy = ProxyPeer.haproxy(run.searchPath());
    Peer spring = ProxyPeer.spring(run.searchPath());
    try (ServerTarget target =
            ServerTarget.gateway(upstream, PLACES, log, "loops=" + share, "limits.inflight=2048");
        NginxPeer first = NginxPeer.proxying(nginx, upstream, share);
        ProxyPeer second =
            haproxy.isPresent() ? ProxyPeer.haproxy(haproxy, upstream, share) : null;
        ProxyPeer third = spring.isPresent() ? ProxyPeer.spring(spring, upstream, share) : null) {
      var ours = new Running(target.uri(), target::cpuTime);
      var theirs = new Running(first.uri(), first::cpuTime);
      Running others = second == null ? null : new Running(second.uri(), second::cpuTime);
      Running last = third == null ? null : new Running(third.uri(), third::cpuTime);
      requireSameAnswers(upstream, ours, theirs, others, last);
      for (Size size : sizes) {
        warmUp(ours.side(wrk, size, share, 1));
        measure(run, wrk, size, share, ours, nginx, theirs);
        measure(run, wrk, size, share, ours, haproxy, others);
        if (last != null) {
          warmUp(last.side(wrk, size, share, 1)); // it runs in a JVM too
        }
        measure(run, wrk, size, share, ours, spring, last);
      }
    }
  }

  private static void measure(
      BenchRun run,
      LoadGenerator wrk,
      Size size,
      int share,
      Running ours,
      Peer peer,
      @Nullable Running theirs)
      throws IOException, InterruptedException {
    int seconds = Math.toIntExact(run.sideTime().toSeconds());
    Rounds<HttpSide.Sample> rounds =
        run.interleave(
            "gateway " + size.caseName + " / " + peer.name(),
            ours.side(wrk, size, share, seconds),
            theirs == null ? null : theirs.side(wrk, size, share, seconds));
    String cpu = size.caseName + "-cpu";
    run.compare(cpu, "requests/cpu-s", peer, rounds, HttpSide.Sample::requestsPerCpuSecond);
    run.compare(
        size.caseName + "-rate", "requests/s", peer, rounds, HttpSide.Sample::requestsPerSecond);
  }

  private void warmUp(HttpSide side) throws IOException, InterruptedException {
    double cold = side.serverCpu().get().seconds();
    for (int load = 0; load < WARM_UP_LOADS_MAX; load++) {
      if (side.serverCpu().get().seconds() - cold >= warmUpCpuSeconds) {
        return;
      }
      side.measure();
    }
  }

  private static void requireSameAnswers(URI upstream, @Nullable Running... proxies)
      throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      for (Size size : Size.values()) {
        byte[] wanted = answer(client, upstream.resolve(size.path()));
        for (Running proxy : proxies) {
          if (proxy != null
              && !Arrays.equals(wanted, answer(client, proxy.uri().resolve(size.path())))) {
            throw new IOException(proxy.uri() + " does not pass on " + size.path() + " unchanged");
          }
        }
      }
    }
  }

  private static byte[] answer(HttpClient client, URI target)
      throws IOException, InterruptedException {
    var answer = client.send(HttpRequest.newBuilder(target).build(), BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IOException(target + " answered " + answer.statusCode());
    }
    return answer.body();
  }
}
