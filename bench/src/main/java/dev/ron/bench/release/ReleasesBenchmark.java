package dev.ron.bench.release;

import dev.ron.bench.http.NginxPeer;
import dev.ron.bench.load.ClosedLoop;
import dev.ron.bench.load.HttpSide;
import dev.ron.bench.load.Load;
import dev.ron.bench.load.LoadGenerator;
import dev.ron.bench.load.LoopbackConnection;
import dev.ron.bench.process.CpuTime;
import dev.ron.bench.process.NodeTarget;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import dev.ron.bench.queue.NodeMailbox;
import dev.ron.bench.queue.QueueLoad;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.Rounds;
import dev.ron.bench.run.Side;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;

/**
 * This distribution beside another one, such as the release before: two whole nodes by their own
 * launchers take turns under the same load.
 *
 * <p>A ratio below 1 that is outside its spread is a step back. Rates per CPU second count all of
 * the node's CPU time.
 *
 * <p>Threading: immutable; one run at a time.
 */
public final class ReleasesBenchmark implements Benchmark {
  private static final int CONNECTIONS = 32;
  private static final int WRITERS = 64;
  private static final int SMALL_BYTES = 1 << 10;
  private static final int PUT_BYTES = 4 << 10;
  private static final int LARGE_BYTES = 64 << 10;
  private static final int SETTLE_MILLIS = 50;
  private static final int SETTLE_LOOKS = 200;

  /** After so much CPU time under a load neither JVM compiles much of it any more. */
  private static final double WARM_UP_CPU_SECONDS = 10;

  private static final int WARM_UP_TURNS_MAX = 30;
  private static final Duration WARM_UP_TURN = Duration.ofSeconds(1);

  @Override
  public String name() {
    return "releases";
  }

  @Override
  public String what() {
    return "this distribution beside the one that --beside names, service by service";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(NginxPeer.find(searchPath), LoadGenerator.wrk(searchPath).program());
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    Path launcher =
        NodeTarget.launcher()
            .orElseThrow(
                () -> new IOException("a node is started by the launcher: `./ron bench releases`"));
    Path other =
        run.beside()
            .orElseThrow(
                () ->
                    new IOException(
                        "--beside DIR names the checkout or the unpacked archive to compare with"));
    Path beside = other.resolve("ron").toAbsolutePath();
    if (!Files.isExecutable(beside)) {
      throw new IOException("--beside " + other + ": there is no launcher " + beside);
    }
    LoadGenerator wrk = LoadGenerator.wrk(run.searchPath());
    Peer nginx = NginxPeer.find(run.searchPath());
    for (Peer needed : List.of(wrk.program(), nginx)) {
      if (!needed.isPresent()) {
        run.absent("all", "requests/s", nginx, needed);
        return;
      }
    }
    try (TempFolder folder = TempFolder.onDisk()) {
      Path files = Files.createDirectory(folder.path().resolve("served"));
      Files.write(files.resolve("small"), random(SMALL_BYTES));
      Files.write(files.resolve("large"), random(LARGE_BYTES));
      try (NginxPeer upstream = NginxPeer.serving(nginx, files, 1, NginxPeer.Protocol.HTTP_1);
          Release ours = Release.start(launcher, folder.path().resolve("ours"), upstream.uri());
          Release theirs = Release.start(beside, folder.path().resolve("theirs"), upstream.uri())) {
        var contest = new Contest(run, wrk, new Peer("beside", "", null, beside), ours, theirs);
        Map<String, String> range = Map.of("Range", "bytes=16384-32767");
        contest.wrk("http-get-1k", release -> release.stored(SMALL_BYTES), Map.of());
        contest.wrk("gateway-1k", release -> release.proxied("small"), Map.of());
        contest.wrk("gateway-64k", release -> release.proxied("large"), Map.of());
        contest.wrk("edge-hit-64k", Release::hit, Map.of());
        contest.wrk("edge-range-16k", Release::hit, range);
        contest.wrk("storage-get-64k", release -> release.stored(LARGE_BYTES), Map.of());
        contest.puts();
        contest.messages();
      }
    }
  }

  private static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(content);
    return content;
  }

  /** Where a load goes at one of the two. */
  private interface Target {
    URI of(Release release) throws IOException, InterruptedException;
  }

  /** Both nodes, and what asks them. */
  private record Contest(
      BenchRun run, LoadGenerator wrk, Peer beside, Release ours, Release theirs) {
    void wrk(String caseName, Target target, Map<String, String> fields)
        throws IOException, InterruptedException {
      compare(
          caseName,
          "requests",
          wrkSide(ours, target, fields),
          wrkSide(theirs, target, fields),
          HttpSide.Sample::requestsPerSecond,
          HttpSide.Sample::requestsPerCpuSecond);
    }

    private Side<HttpSide.Sample> wrkSide(
        Release release, Target target, Map<String, String> fields)
        throws IOException, InterruptedException {
      URI asked = target.of(release);
      warmUp(release, time -> wrkLoad(release, asked, fields, time).measure());
      return wrkLoad(release, asked, fields, run.sideTime());
    }

    private HttpSide wrkLoad(
        Release release, URI asked, Map<String, String> fields, Duration time) {
      int seconds = Math.toIntExact(time.toSeconds());
      var load = new Load(asked, CONNECTIONS, 1, seconds, fields);
      return new HttpSide(wrk, load, () -> release.node().cpuTime());
    }

    void puts() throws IOException, InterruptedException {
      compare(
          "storage-put-4k",
          "objects",
          putSide(ours),
          putSide(theirs),
          turn -> turn.sample().perSecond(),
          QueueLoad.Turn::perCpuSecond);
    }

    private Side<QueueLoad.Turn> putSide(Release release) throws IOException, InterruptedException {
      warmUp(release, release::put);
      return () -> release.put(run.sideTime());
    }

    void messages() throws IOException, InterruptedException {
      QueueLoad mine = ours.mail();
      QueueLoad other = theirs.mail();
      for (QueueLoad.Kind kind : QueueLoad.Kind.values()) {
        warmUp(ours, time -> mine.turn(kind, time));
        warmUp(theirs, time -> other.turn(kind, time));
        compare(
            "mailbox-" + kind.caseName(),
            "messages",
            () -> mine.turn(kind, run.sideTime()),
            () -> other.turn(kind, run.sideTime()),
            turn -> turn.sample().perSecond(),
            QueueLoad.Turn::perCpuSecond);
      }
    }

    private <T> void compare(
        String caseName,
        String counted,
        Side<T> mine,
        Side<T> other,
        ToDoubleFunction<T> perSecond,
        ToDoubleFunction<T> perCpuSecond)
        throws IOException, InterruptedException {
      Rounds<T> rounds = run.interleave("releases " + caseName, mine, other);
      run.compare(caseName, counted + "/s", beside, rounds, perSecond);
      run.compare(caseName + "-cpu", counted + "/cpu-s", beside, rounds, perCpuSecond);
    }
  }

  /** A load that is put on for some time. */
  private interface Turns {
    Object take(Duration time) throws IOException, InterruptedException;
  }

  private static void warmUp(Release release, Turns load) throws IOException, InterruptedException {
    double cold = release.node().cpuTime().seconds();
    for (int turn = 0; turn < WARM_UP_TURNS_MAX; turn++) {
      if (release.node().cpuTime().seconds() - cold >= WARM_UP_CPU_SECONDS) {
        return;
      }
      load.take(WARM_UP_TURN);
    }
  }

  /** One distribution's node, before the upstream both share. */
  private record Release(NodeTarget node, AtomicLong puts) implements AutoCloseable {
    static Release start(Path launcher, Path folder, URI upstream)
        throws IOException, InterruptedException {
      Files.createDirectories(folder);
      return new Release(NodeTarget.start(launcher, folder, config(upstream)), new AtomicLong());
    }

    /** Only keys that every release has had; no rate is capped, nothing else is changed. */
    private static String config(URI upstream) {
      return """
          danger_ok = true
          [node]
          limits = "open"
          [gateway]
          routes = [{ prefix = "/up", strip_prefix = true, auth = "none", timeout = "30s", \
          max_concurrent = 1024, upstreams = ["%1$s"] }]
          [edge]
          mode = "live"
          mounts = [{ prefix = "bench", upstream = "%1$s", allow_http = true, \
          allow_private = true }]
          [mailbox]
          shard_capacity = 1000000
          """
          .formatted(upstream);
    }

    /** The edge's own address of a cached file, once it says that it has it. */
    URI hit() throws IOException, InterruptedException {
      URI asked = node.door("edge").resolve("/edge/assets/bench/large");
      try (var client = HttpClient.newHttpClient()) {
        for (int look = 0; look < SETTLE_LOOKS; look++) {
          var answer =
              client.send(HttpRequest.newBuilder(asked).build(), BodyHandlers.ofByteArray());
          String said = answer.headers().firstValue("Cache-Status").orElse("");
          if (said.contains("; hit") && Arrays.equals(answer.body(), random(LARGE_BYTES))) {
            return asked;
          }
          var _ = new CountDownLatch(1).await(SETTLE_MILLIS, TimeUnit.MILLISECONDS);
        }
      }
      throw new IOException(asked + " is not answered from the cache");
    }

    URI proxied(String file) throws IOException {
      return node.door("gateway").resolve("/up/" + file);
    }

    /** An object of the storage. */
    URI stored(int bytes) throws IOException, InterruptedException {
      byte[] object = random(bytes);
      URI door = node.door("storage");
      try (var client = HttpClient.newHttpClient()) {
        var told =
            client.send(
                HttpRequest.newBuilder(door.resolve("/o"))
                    .header("Authorization", "Bearer " + node.operator())
                    .POST(HttpRequest.BodyPublishers.ofByteArray(object))
                    .build(),
                BodyHandlers.ofString());
        URI asked = door.resolve(told.headers().firstValue("Location").orElse("/none"));
        var answer = client.send(HttpRequest.newBuilder(asked).build(), BodyHandlers.ofByteArray());
        if (!Arrays.equals(answer.body(), object)) {
          throw new IOException(asked + " does not answer what was stored: " + told.body());
        }
        return asked;
      }
    }

    /** Objects that are all different, each waited for. */
    QueueLoad.Turn put(Duration time) throws IOException, InterruptedException {
      String head =
          "POST /o HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n"
              .formatted(node.operator(), PUT_BYTES);
      int port = node.door("storage").getPort();
      List<LoopbackConnection> lines = new ArrayList<>();
      try {
        for (int i = 0; i < WRITERS; i++) {
          lines.add(new LoopbackConnection(port));
        }
        CpuTime served = node.cpuTime();
        CpuTime own = CpuTime.own();
        ClosedLoop.Sample sample =
            ClosedLoop.run(
                lines,
                time,
                line -> {
                  byte[] object = random(PUT_BYTES);
                  ByteBuffer.wrap(object).putLong(puts.getAndIncrement());
                  line.exchange("POST /o", head, object);
                  return true;
                });
        return new QueueLoad.Turn(sample, node.cpuTime().minus(served), CpuTime.own().minus(own));
      } finally {
        for (LoopbackConnection line : lines) {
          line.close();
        }
      }
    }

    QueueLoad mail() throws IOException {
      int port = node.door("mailbox").getPort();
      var mailbox = new NodeMailbox(port, node.operator(), node::cpuTime);
      return new QueueLoad(mailbox, random(SMALL_BYTES), WRITERS);
    }

    @Override
    public void close() {
      node.close();
    }
  }
}
