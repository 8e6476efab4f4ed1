package dev.ron.bench.store;

import dev.ron.bench.http.NginxPeer;
import dev.ron.bench.load.HttpSide;
import dev.ron.bench.load.Load;
import dev.ron.bench.load.LoadGenerator;
import dev.ron.bench.load.SameAnswer;
import dev.ron.bench.process.ChildJvmCommand;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import dev.ron.bench.process.ToolRun;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.Rounds;
import dev.ron.bench.run.Side;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The content store beside simpler ways to keep bytes: puts beside a file each, reads through our
 * HTTP server beside nginx, and a start with very many objects beside what was aimed at.
 *
 * <p>Puts: 4 KiB, durable when answered, 64 writers; a loop of create, write, fsync, rename, once
 * alone and once 64 at a time. Reads: the same 64 KiB object again and again, from the page cache
 * on both sides; {@code once} has verified it before and sends it by file region, {@code always}
 * reads and hashes it each time.
 *
 * <p>Threading: immutable.
 */
public final class ContentBenchmark implements Benchmark {
  private static final int PUT_BYTES = 4 << 10;
  private static final int WRITERS = 64;
  private static final int GET_BYTES = 64 << 10;
  private static final int CONNECTIONS_PER_THREAD = 32;
  private static final int START_OBJECTS = 1_000_000;
  private static final int FILL_WRITERS = 256;
  private static final double AIM_SECONDS = 2;
  private static final double AIM_HEAP_BYTES = 200;
  private static final Duration LISTEN_LIMIT = Duration.ofSeconds(30);
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  /** As in {@code HttpBenchmark}: warm by CPU time, because a second may be none. */
  private static final int WARM_UP_CPU_SECONDS = 5;

  private static final int WARM_UP_LOADS_MAX = 30;

  /** One start of a store: how long, and how much heap for each object. */
  private record Start(double seconds, double heapBytesPerObject) {}

  private final int startObjects;
  private final int warmUpCpuSeconds;

  public ContentBenchmark() {
    this(START_OBJECTS, WARM_UP_CPU_SECONDS);
  }

  /** With fewer objects and less warming up, for tests of everything but the figures. */
  ContentBenchmark(int startObjects, int warmUpCpuSeconds) {
    this.startObjects = startObjects;
    this.warmUpCpuSeconds = warmUpCpuSeconds;
  }

  @Override
  public String name() {
    return "content";
  }

  @Override
  public String what() {
    return "durable puts of 4 KiB, gets of 64 KiB through HTTP, a start with many objects";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(
        fileLoops(1),
        fileLoops(WRITERS),
        NginxPeer.find(searchPath),
        LoadGenerator.wrk(searchPath).program());
  }

  private static Peer fileLoops(int loops) {
    return Peer.inThisJvm("a file each, " + loops + (loops == 1 ? " loop" : " loops"));
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    puts(run);
    gets(run);
    starts(run);
  }

  private static void puts(BenchRun run) throws IOException, InterruptedException {
    for (int loops : new int[] {1, WRITERS}) {
      try (TempFolder folder = TempFolder.onDisk();
          ContentPuts puts = new ContentPuts(folder.path())) {
        Peer peer = fileLoops(loops);
        Rounds<Double> rounds =
            run.interleave(
                "content put / " + peer.name(),
                () -> puts.storeRate(PUT_BYTES, WRITERS, run.sideTime()),
                () -> puts.fileRate(PUT_BYTES, loops, run.sideTime()));
        run.compare("put-4k-64-writers", "puts/s", peer, rounds, rate -> rate);
      }
    }
  }

  private void gets(BenchRun run) throws IOException, InterruptedException {
    Peer nginx = NginxPeer.find(run.searchPath());
    LoadGenerator wrk = LoadGenerator.wrk(run.searchPath());
    if (!wrk.program().isPresent()) {
      for (String verify : List.of(ContentTargetMain.ONCE, ContentTargetMain.ALWAYS)) {
        run.absent(cpuCase(verify), "requests/cpu-s", nginx, wrk.program());
        run.absent(rateCase(verify), "requests/s", nginx, wrk.program());
      }
      return;
    }
    int share = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, Load.THREADS_MAX);
    try (TempFolder folder = TempFolder.onDisk()) {
      Path files = Files.createDirectory(folder.path().resolve("served"));
      byte[] bytes = new byte[GET_BYTES];
      new SplittableRandom(1).nextBytes(bytes);
      Files.write(files.resolve("object"), bytes);
      int port = ChildProcess.freePort();
      List<String> command =
          ChildJvmCommand.hashing(
              ContentTargetMain.class,
              Integer.toString(port),
              Integer.toString(share),
              files.resolve("object").toString(),
              folder.path().resolve("stores").toString());
      Path log = folder.path().resolve("ours.log");
      try (ChildProcess ours = ChildProcess.listen("ours", port, command, log, LISTEN_LIMIT);
          NginxPeer theirs = nginx.isPresent() ? nginx(nginx, files, share) : null) {
        var contest =
            new Contest(
                wrk, share, URI.create("http://127.0.0.1:" + port), ours, nginx, theirs, bytes);
        for (String verify : List.of(ContentTargetMain.ONCE, ContentTargetMain.ALWAYS)) {
          get(run, verify, contest);
        }
      }
    }
  }

  private static NginxPeer nginx(Peer nginx, Path files, int workers)
      throws IOException, InterruptedException {
    return NginxPeer.serving(nginx, files, workers, NginxPeer.Protocol.HTTP_1);
  }

  /**
   * Both servers, up and running, and what asks them.
   *
   * @param theirs null when nginx is absent
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Contest(
      LoadGenerator wrk,
      int share,
      URI uri,
      ChildProcess ours,
      Peer nginx,
      @Nullable NginxPeer theirs,
      byte[] bytes) {
    HttpSide side(String verify, int seconds) {
      return new HttpSide(wrk, load(uri.resolve("/" + verify), seconds), ours::cpuTime);
    }

    @Nullable HttpSide peerSide(int seconds) {
      return theirs == null
          ? null
          : new HttpSide(wrk, load(theirs.uri().resolve("/object"), seconds), theirs::cpuTime);
    }

    private Load load(URI target, int seconds) {
      return new Load(target, share * CONNECTIONS_PER_THREAD, share, seconds);
    }

    void requireSameAnswers(String verify) throws IOException, InterruptedException {
      SameAnswer.require(uri.resolve("/" + verify), bytes);
      if (theirs != null) {
        SameAnswer.require(theirs.uri().resolve("/object"), bytes);
      }
    }
  }

  private void get(BenchRun run, String verify, Contest contest)
      throws IOException, InterruptedException {
    contest.requireSameAnswers(verify);
    warmUp(contest.side(verify, 1));
    int seconds = Math.toIntExact(run.sideTime().toSeconds());
    Rounds<HttpSide.Sample> rounds =
        run.interleave(
            "content get " + verify + " / nginx",
            contest.side(verify, seconds),
            contest.peerSide(seconds));
    Peer nginx = contest.nginx;
    run.compare(
        cpuCase(verify), "requests/cpu-s", nginx, rounds, HttpSide.Sample::requestsPerCpuSecond);
    run.compare(rateCase(verify), "requests/s", nginx, rounds, HttpSide.Sample::requestsPerSecond);
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

  private static String cpuCase(String verify) {
    return "get-64k-" + verify + "-cpu";
  }

  private static String rateCase(String verify) {
    return "get-64k-" + verify + "-rate";
  }

  private void starts(BenchRun run) throws IOException, InterruptedException {
    try (TempFolder folder = TempFolder.onDisk()) {
      try (ContentPuts puts = new ContentPuts(folder.path())) {
        run.say("putting " + startObjects + " objects of 8 bytes");
        puts.fill(startObjects, Long.BYTES, FILL_WRITERS);
      }
      Path store = folder.path().resolve("store");
      Side<Start> ours = () -> start(store);
      Side<Start> aim = () -> new Start(AIM_SECONDS, AIM_HEAP_BYTES);
      Rounds<Start> rounds = run.interleave("content start", ours, aim);
      Peer peer = Peer.inThisJvm("the aim");
      String name = "start-with-" + startObjects;
      run.compare(name, "s", peer, rounds, Start::seconds);
      run.compare(name + "-heap", "bytes/object", peer, rounds, Start::heapBytesPerObject);
    }
  }

  private Start start(Path store) throws IOException, InterruptedException {
    List<String> command = ChildJvmCommand.command(ContentStartMain.class, store.toString());
    String line = ToolRun.succeeding("start", command, START_LIMIT).output().strip();
    String[] words = line.lines().toList().getLast().split(" ", -1);
    if (Long.parseLong(words[2]) != startObjects) {
      throw new IOException("a start found other objects than were put: " + line);
    }
    return new Start(Double.parseDouble(words[0]), Double.parseDouble(words[1]) / startObjects);
  }
}
