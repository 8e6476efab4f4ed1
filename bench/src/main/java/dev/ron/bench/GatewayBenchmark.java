package dev.ron.bench;

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
 * Requests that our gateway passes on in a second and in a CPU second of its own, beside nginx and
 * HAProxy before the same upstream: answers of 1 KiB and of 64 KiB.
 *
 * <p>The upstream is another nginx. Each proxy gets half of the cores. All must answer the same
 * bytes before they are timed.
 *
 * <p>Threading: immutable.
 */
final class GatewayBenchmark implements Benchmark {
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

  GatewayBenchmark() {
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
        HaproxyPeer.find(searchPath),
        springCloudGateway(),
        LoadGenerator.wrk(searchPath).program());
  }

  /** Not part of this build: it would bring a hundred libraries for one figure. */
  private static Peer springCloudGateway() {
    return new Peer("spring-cloud-gateway", "it is not part of this build", null, null);
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
    Peer haproxy = HaproxyPeer.find(run.searchPath());
    try (GatewayTarget target =
            GatewayTarget.start(upstream, PLACES, log, "loops=" + share, "limits.inflight=2048");
        NginxPeer theirs = NginxPeer.proxying(nginx, upstream, share);
        HaproxyPeer third =
            haproxy.isPresent() ? HaproxyPeer.proxying(haproxy, upstream, share) : null) {
      var ours = new Running(target.uri(), target::cpuTime);
      var second = new Running(theirs.uri(), theirs::cpuTime);
      Running last = third == null ? null : new Running(third.uri(), third::cpuTime);
      requireSameAnswers(upstream, ours, second, last);
      for (Size size : sizes) {
        warmUp(ours.side(wrk, size, share, 1));
        measure(run, wrk, size, share, ours, nginx, second);
        measure(run, wrk, size, share, ours, haproxy, last);
        run.absent(
            size.caseName + "-cpu", "requests/cpu-s", springCloudGateway(), springCloudGateway());
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

  private void warmUp(HttpSide ours) throws IOException, InterruptedException {
    double cold = ours.serverCpu().get().seconds();
    for (int load = 0; load < WARM_UP_LOADS_MAX; load++) {
      if (ours.serverCpu().get().seconds() - cold >= warmUpCpuSeconds) {
        return;
      }
      ours.measure();
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
