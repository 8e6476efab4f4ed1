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
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Inline;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Routes;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Warm hits of the edge's cache beside nginx, which serves the same bytes as files, and beside
 * Varnish, which caches them from the same origin: 64 KiB, and 16 KiB out of 4 MiB.
 *
 * <p>Everybody must answer the same bytes before anybody is timed, and the edge must say that they
 * were hits.
 *
 * <p>Threading: immutable.
 */
public final class EdgeBenchmark implements Benchmark {
  private static final int FILE_BYTES = 64 << 10;
  private static final int LARGE_BYTES = 4 << 20;
  private static final int RANGE_BYTES = 16 << 10;
  private static final int CONNECTIONS_PER_THREAD = 32;

  /** See {@link GatewayBenchmark}: after 5 s the first rounds of a range were still a third. */
  private static final int WARM_UP_CPU_SECONDS = 15;

  private static final int WARM_UP_LOADS_MAX = 40;

  /** The edge has an event loop for each, so nginx has a worker for each. */
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  private static final Duration LETTING_GO = Duration.ofSeconds(1);

  /** What is asked for. */
  enum Route {
    HIT("hit-64k", "/file-64k", null, FILE_BYTES),
    RANGE(
        "range-16k",
        "/file-4m",
        "bytes=" + LARGE_BYTES / 2 + "-" + (LARGE_BYTES / 2 + RANGE_BYTES - 1),
        RANGE_BYTES);

    private final String caseName;
    private final String path;
    private final @Nullable String range;
    private final int bytes;

    Route(String caseName, String path, @Nullable String range, int bytes) {
      this.caseName = caseName;
      this.path = path;
      this.range = range;
      this.bytes = bytes;
    }

    private Map<String, String> headers() {
      return range == null ? Map.of() : Map.of("Range", range);
    }
  }

  /** A server that is asked, by its address and what it has cost so far. */
  private record Server(URI uri, Supplier<CpuTime> cpu) {
    HttpSide side(LoadGenerator wrk, Route route, int threads, int seconds) {
      var load =
          new Load(
              uri.resolve(route.path),
              threads * CONNECTIONS_PER_THREAD,
              threads,
              seconds,
              route.headers());
      return new HttpSide(wrk, load, cpu);
    }
  }

  @Override
  public String name() {
    return "edge";
  }

  @Override
  public String what() {
    return "warm hits of the edge per second and per CPU second under wrk";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(
        NginxPeer.find(searchPath),
        ProxyPeer.varnish(searchPath),
        LoadGenerator.wrk(searchPath).program());
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    Peer nginx = NginxPeer.find(run.searchPath());
    Peer varnish = ProxyPeer.varnish(run.searchPath());
    LoadGenerator wrk = LoadGenerator.wrk(run.searchPath());
    if (!wrk.program().isPresent()) {
      for (Route route : Route.values()) {
        for (Peer peer : List.of(nginx, varnish)) {
          run.absent(route.caseName + "-cpu", "requests/cpu-s", peer, wrk.program());
          run.absent(route.caseName + "-rate", "requests/s", peer, wrk.program());
        }
      }
      return;
    }
    try (TempFolder folder = TempFolder.create()) {
      Path files = Files.createDirectory(folder.path().resolve("served"));
      Path data = Files.createDirectory(folder.path().resolve("edge"));
      write(files.resolve("file-64k"), FILE_BYTES);
      write(files.resolve("file-4m"), LARGE_BYTES);
      HttpServer origin = origin(files);
      URI upstream = URI.create("http://127.0.0.1:" + origin.port());
      try (ServerTarget ours = ServerTarget.edge(upstream, data, 1, "");
          NginxPeer first = nginx.isPresent() ? serving(nginx, files) : null;
          ProxyPeer second = varnish.isPresent() ? ProxyPeer.varnish(varnish, upstream) : null) {
        var edge = new Server(ours.uri(), ours::cpuTime);
        Server file = first == null ? null : new Server(first.uri(), first::cpuTime);
        Server cache = second == null ? null : new Server(second.uri(), second::cpuTime);
        for (Route route : Route.values()) {
          requireSame(route, edge, file, cache);
          warmUp(edge.side(wrk, route, 1, 1));
          measure(run, wrk, route, edge, nginx, file);
          measure(run, wrk, route, edge, varnish, cache);
        }
      } finally {
        origin.close(Deadline.in(LETTING_GO, World.real(Log.silent()).time()));
      }
    }
  }

  private static NginxPeer serving(Peer nginx, Path files)
      throws IOException, InterruptedException {
    return NginxPeer.serving(nginx, files, CORES, NginxPeer.Protocol.HTTP_1);
  }

  /** Where the caches get their bytes, fresh for a day. */
  private static HttpServer origin(Path files) throws IOException {
    var scope = Scope.of("origin", World.real(Log.silent()));
    Routes routes = Routes.of();
    for (Route route : Route.values()) {
      Answer answer =
          Answer.bytes(
                  200,
                  "application/octet-stream",
                  Files.readAllBytes(files.resolve(route.path.substring(1))))
              .with("Cache-Control", "max-age=86400");
      routes.get(route.path, route.caseName, (Inline) exchange -> exchange.answer(answer));
    }
    var origin =
        new HttpServer(scope, HttpServerConfig.on("127.0.0.1", 0).with(Limits.OPEN), routes);
    try {
      origin.open();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the origin does not open", e);
    }
    return origin;
  }

  private static void write(Path file, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(content);
    Files.write(file, content);
  }

  private static void measure(
      BenchRun run, LoadGenerator wrk, Route route, Server edge, Peer peer, @Nullable Server theirs)
      throws IOException, InterruptedException {
    int seconds = Math.toIntExact(run.sideTime().toSeconds());
    Rounds<HttpSide.Sample> rounds =
        run.interleave(
            "edge " + route.caseName + " / " + peer.name(),
            edge.side(wrk, route, 1, seconds),
            theirs == null ? null : theirs.side(wrk, route, 1, seconds));
    run.compare(
        route.caseName + "-cpu",
        "requests/cpu-s",
        peer,
        rounds,
        HttpSide.Sample::requestsPerCpuSecond);
    run.compare(
        route.caseName + "-rate", "requests/s", peer, rounds, HttpSide.Sample::requestsPerSecond);
  }

  private static void warmUp(HttpSide ours) throws IOException, InterruptedException {
    double cold = ours.serverCpu().get().seconds();
    for (int load = 0; load < WARM_UP_LOADS_MAX; load++) {
      if (ours.serverCpu().get().seconds() - cold >= WARM_UP_CPU_SECONDS) {
        return;
      }
      ours.measure();
    }
  }

  /** Fills the caches, and holds all to the same bytes. */
  private static void requireSame(Route route, Server edge, @Nullable Server... peers)
      throws IOException, InterruptedException {
    Time time = World.real(Log.silent()).time();
    try (var client = HttpClient.newHttpClient()) {
      ask(client, edge, route, false);
      byte[] ours = {};
      String said = "";
      for (int look = 0; look < 100 && !said.contains("; hit"); look++) {
        time.sleepUntil(time.now().plusMillis(50)); // the first answer comes before it is stored
        HttpResponse<byte[]> again = ask(client, edge, route, true);
        ours = again.body();
        said = again.headers().firstValue("Cache-Status").orElse("");
      }
      if (!said.contains("; hit") || ours.length != route.bytes) {
        throw new IOException("the edge does not hit: " + said);
      }
      for (Server peer : peers) {
        if (peer != null) {
          ask(client, peer, route, false);
          if (!Arrays.equals(ours, ask(client, peer, route, true).body())) {
            throw new IOException(peer.uri() + " answers " + route.path + " differently");
          }
        }
      }
    }
  }

  private static HttpResponse<byte[]> ask(
      HttpClient client, Server server, Route route, boolean ranged)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(server.uri().resolve(route.path));
    if (ranged) {
      route.headers().forEach(request::header);
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }
}
