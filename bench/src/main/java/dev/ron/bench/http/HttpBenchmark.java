package dev.ron.bench.http;

import dev.ron.bench.load.HttpSide;
import dev.ron.bench.load.Load;
import dev.ron.bench.load.LoadGenerator;
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
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Requests that our server answers in a second and in a CPU second, beside nginx with the same
 * answers: a few bytes from memory, a file of 64 KiB, 64 KiB out of a file of 16 MiB.
 *
 * <p>Each server gets half of the cores, wrk as many threads, so that neither takes time from the
 * other. Both sides must answer the same bytes before they are timed.
 *
 * <p>Threading: immutable.
 */
public final class HttpBenchmark implements Benchmark {
  private static final int PART_BYTES = 64 << 10;
  private static final int LARGE_BYTES = 16 << 20;
  private static final int CONNECTIONS_PER_THREAD = 32;

  /**
   * A fresh JVM interprets and compiles, and on a busy machine a second is not a second of work: so
   * the server is warm when it has spent so much CPU time on a route, and not before.
   */
  private static final int WARM_UP_CPU_SECONDS = 5;

  /** A load of a second each; a server that is not warm by then is measured as it is. */
  private static final int WARM_UP_LOADS_MAX = 30;

  /** What is asked for. */
  enum Route {
    HELLO("/hello", null, 200, HttpTargetMain.HELLO.length()),
    FILE("/" + HttpTargetMain.FILE, null, 200, PART_BYTES),
    /** Not at the start of the file, and aligned as a storage service's blocks are. */
    RANGE(
        "/" + HttpTargetMain.LARGE,
        "bytes=" + LARGE_BYTES / 2 + "-" + (LARGE_BYTES / 2 + PART_BYTES - 1),
        206,
        PART_BYTES);

    private final String path;
    private final @Nullable String range;
    private final int status;
    private final int bytes;

    Route(String path, @Nullable String range, int status, int bytes) {
      this.path = path;
      this.range = range;
      this.status = status;
      this.bytes = bytes;
    }

    private Map<String, String> headers() {
      return range == null ? Map.of() : Map.of("Range", range);
    }

    private String caseName() {
      return switch (this) {
        case HELLO -> "hello";
        case FILE -> "file-64k";
        case RANGE -> "range-64k";
      };
    }
  }

  /**
   * Both servers, up and running, and what asks them.
   *
   * @param share event loops of ours, workers of nginx, threads of the generator
   * @param theirs null when nginx is absent
   */
  private record Contest(
      LoadGenerator wrk, int share, ServerTarget ours, Peer nginx, @Nullable NginxPeer theirs) {
    HttpSide side(Route route, int seconds) {
      return new HttpSide(wrk, load(ours.uri(), route, seconds), ours::cpuTime);
    }

    @Nullable HttpSide peerSide(Route route, int seconds) {
      return theirs == null
          ? null
          : new HttpSide(wrk, load(theirs.uri(), route, seconds), theirs::cpuTime);
    }

    private Load load(URI server, Route route, int seconds) {
      URI target = server.resolve(route.path);
      return new Load(target, share * CONNECTIONS_PER_THREAD, share, seconds, route.headers());
    }
  }

  private final List<Route> routes;
  private final int warmUpCpuSeconds;

  public HttpBenchmark() {
    this(List.of(Route.values()), WARM_UP_CPU_SECONDS);
  }

  /** With fewer routes and less warming up, for tests of everything but the figures. */
  HttpBenchmark(List<Route> routes, int warmUpCpuSeconds) {
    this.routes = List.copyOf(routes);
    this.warmUpCpuSeconds = warmUpCpuSeconds;
  }

  @Override
  public String name() {
    return "http";
  }

  @Override
  public String what() {
    return "HTTP/1.1 requests answered per second and per CPU second under wrk";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(NginxPeer.find(searchPath), LoadGenerator.wrk(searchPath).program());
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    Peer nginx = NginxPeer.find(run.searchPath());
    LoadGenerator wrk = LoadGenerator.wrk(run.searchPath());
    if (!wrk.program().isPresent()) {
      for (Route route : routes) {
        run.absent(perCpuSecond(route), "requests/cpu-s", nginx, wrk.program());
        run.absent(perSecond(route), "requests/s", nginx, wrk.program());
      }
      return;
    }
    int share = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, Load.THREADS_MAX);
    try (TempFolder folder = TempFolder.create()) {
      Path files = Files.createDirectory(folder.path().resolve("served"));
      write(files.resolve(HttpTargetMain.FILE), PART_BYTES);
      write(files.resolve(HttpTargetMain.LARGE), LARGE_BYTES);
      try (ServerTarget ours = ServerTarget.http(files, share, folder.path().resolve("ours.log"));
          NginxPeer theirs = nginx.isPresent() ? nginx(nginx, files, share) : null) {
        requireSameAnswers(ours.uri(), theirs == null ? null : theirs.uri());
        var contest = new Contest(wrk, share, ours, nginx, theirs);
        for (Route route : routes) {
          measure(run, route, contest);
        }
      }
    }
  }

  private void measure(BenchRun run, Route route, Contest contest)
      throws IOException, InterruptedException {
    warmUp(contest.side(route, 1));
    int seconds = Math.toIntExact(run.sideTime().toSeconds());
    Rounds<HttpSide.Sample> rounds =
        run.interleave(
            "http " + route.caseName() + " / nginx",
            contest.side(route, seconds),
            contest.peerSide(route, seconds));
    Peer nginx = contest.nginx;
    run.compare(
        perCpuSecond(route),
        "requests/cpu-s",
        nginx,
        rounds,
        HttpSide.Sample::requestsPerCpuSecond);
    run.compare(perSecond(route), "requests/s", nginx, rounds, HttpSide.Sample::requestsPerSecond);
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

  private static String perCpuSecond(Route route) {
    return route.caseName() + "-cpu";
  }

  private static String perSecond(Route route) {
    return route.caseName() + "-rate";
  }

  private static NginxPeer nginx(Peer nginx, Path files, int workers)
      throws IOException, InterruptedException {
    return NginxPeer.answering(nginx, Route.HELLO.path, HttpTargetMain.HELLO, files, workers);
  }

  private static void write(Path file, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(content);
    Files.write(file, content);
  }

  private static void requireSameAnswers(URI ours, @Nullable URI theirs)
      throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      for (Route route : Route.values()) {
        byte[] our = answer(client, ours, route);
        if (theirs != null && !Arrays.equals(our, answer(client, theirs, route))) {
          throw new IOException("ours and nginx answer " + route.path + " differently");
        }
      }
    }
  }

  private static byte[] answer(HttpClient client, URI server, Route route)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(server.resolve(route.path));
    route.headers().forEach(request::header);
    HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
    if (answer.statusCode() != route.status || answer.body().length != route.bytes) {
      throw new IOException(
          "%s answered %d with %d bytes, not %d with %d"
              .formatted(
                  answer.uri(),
                  answer.statusCode(),
                  answer.body().length,
                  route.status,
                  route.bytes));
    }
    return answer.body();
  }
}
