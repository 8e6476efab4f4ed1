package dev.ron.bench.s3;

import dev.ron.bench.http.NginxPeer;
import dev.ron.bench.load.HttpSide;
import dev.ron.bench.load.Load;
import dev.ron.bench.load.LoadGenerator;
import dev.ron.bench.load.SameAnswer;
import dev.ron.bench.process.ChildJvmCommand;
import dev.ron.bench.process.CpuTime;
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
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The S3 door: durable puts beside S3Proxy on files, hot reads beside nginx, and what was aimed at
 * for creating and listing very many objects and for a start with them.
 *
 * <p>Every request is signed with a key pair. Ours flushes each object before it answers and
 * verifies each byte it sends; S3Proxy flushes nothing and nginx checks nothing, not even who asks.
 *
 * <p>Threading: immutable.
 */
public final class S3Benchmark implements Benchmark {
  private static final int PUT_BYTES = 4 << 10;
  private static final int CREATE_BYTES = 1 << 10;
  private static final int WRITERS = 64;
  private static final int KEYS = 100_000;

  /** So many are put by requests in all rounds; {@link S3FillMain} names more in less time. */
  private static final int CREATED_MAX = 1_000_000;

  private static final double AIM_CREATES = 5000;
  private static final double AIM_KEYS = 200_000;
  private static final double AIM_START_SECONDS = 10;
  private static final double AIM_HEAP_MIB = 1024;
  private static final double MIB = 1 << 20;

  /** Warm by CPU time, because a second may be none on a busy machine. */
  private static final int WARM_UP_CPU_SECONDS = 30;

  private static final int WARM_UP_LOADS_MAX = 40;
  private static final Duration FILL_LIMIT = Duration.ofHours(4);
  private static final Duration START_LIMIT = Duration.ofMinutes(5);
  private static final Duration CREATE_LIMIT = Duration.ofMinutes(30);
  private static final String BUCKET = S3ProxyPeer.BUCKET;

  /** An object that is read, by so many at a time: each shall have read one within a second. */
  private record Size(String label, int bytes, int connections) {}

  private static final List<Size> SIZES =
      List.of(new Size("64k", 64 << 10, 16), new Size("16m", 16 << 20, 2));

  /** One start of the door. */
  private record Start(double seconds, double heapMib) {}

  private final int keys;
  private final int warmUpCpuSeconds;

  public S3Benchmark() {
    this(KEYS, WARM_UP_CPU_SECONDS);
  }

  /** With fewer names and less warming up, for tests of everything but the figures. */
  S3Benchmark(int keys, int warmUpCpuSeconds) {
    this.keys = keys;
    this.warmUpCpuSeconds = warmUpCpuSeconds;
  }

  @Override
  public String name() {
    return "s3";
  }

  @Override
  public String what() {
    return "the S3 door: durable puts, hot reads, listings, a start with many names (--objects N)";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(
        S3ProxyPeer.find(searchPath),
        NginxPeer.find(searchPath),
        LoadGenerator.wrk(searchPath).program());
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    try (TempFolder folder = TempFolder.onDisk();
        S3Server ours = S3Server.ours(folder.path().resolve("ours"))) {
      try (S3Line line = ours.line()) {
        line.put("/" + BUCKET, new byte[0]);
      }
      puts(run, ours, folder.path());
      gets(run, ours);
      create(run, ours);
    }
    many(run);
  }

  private void puts(BenchRun run, S3Server ours, Path folder)
      throws IOException, InterruptedException {
    Peer peer = S3ProxyPeer.find(run.searchPath());
    var names = new AtomicLong();
    try (S3Server theirs = peer.isPresent() ? S3Server.s3proxy(peer, folder) : null) {
      warmUp(() -> put(ours, names, PUT_BYTES, Duration.ofSeconds(1)), ours);
      if (theirs != null) {
        warmUp(() -> put(theirs, names, PUT_BYTES, Duration.ofSeconds(1)), theirs);
      }
      Rounds<S3Server.Sample> rounds =
          run.interleave(
              "s3 put-4k / " + peer.name(),
              () -> put(ours, names, PUT_BYTES, run.sideTime()),
              theirs == null ? null : () -> put(theirs, names, PUT_BYTES, run.sideTime()));
      String name = "put-4k-" + WRITERS + "-writers";
      run.compare(name + "-cpu", "objects/cpu-s", peer, rounds, S3Server.Sample::perCpuSecond);
      run.compare(name + "-rate", "objects/s", peer, rounds, S3Server.Sample::perSecond);
      run.compare(name + "-p99", "ms", peer, rounds, S3Server.Sample::p99Millis);
    }
  }

  private static S3Server.Sample put(S3Server server, AtomicLong names, int bytes, Duration time)
      throws IOException, InterruptedException {
    return server.load(WRITERS, time, line -> putOne(line, names.getAndIncrement(), bytes));
  }

  /** No two bodies are the same, or a store that knows what it has would have nothing to do. */
  private static int putOne(S3Line line, long number, int bytes) throws IOException {
    byte[] body = new byte[bytes];
    new SplittableRandom(number).nextBytes(body);
    line.put(String.format(Locale.ROOT, "/%s/put/%012d", BUCKET, number), body);
    return 1;
  }

  private void gets(BenchRun run, S3Server ours) throws IOException, InterruptedException {
    Peer nginx = NginxPeer.find(run.searchPath());
    LoadGenerator wrk = LoadGenerator.wrk(run.searchPath());
    if (!wrk.program().isPresent()) {
      for (Size size : SIZES) {
        run.absent("get-" + size.label + "-cpu", "requests/cpu-s", nginx, wrk.program());
        run.absent("get-" + size.label + "-rate", "requests/s", nginx, wrk.program());
      }
      return;
    }
    try (TempFolder folder = TempFolder.onDisk()) {
      for (Size size : SIZES) {
        Files.write(folder.path().resolve(size.label), object(size));
      }
      try (NginxPeer web =
          nginx.isPresent()
              ? NginxPeer.serving(nginx, folder.path(), 1, NginxPeer.Protocol.HTTP_1)
              : null) {
        for (Size size : SIZES) {
          get(run, new Readers(wrk, ours, nginx, web), size);
        }
      }
    }
  }

  /** Both servers of reads, and what asks them. */
  private record Readers(LoadGenerator wrk, S3Server ours, Peer nginx, @Nullable NginxPeer web) {
    HttpSide mine(URI target, Size size, int seconds) {
      return side(target, size, seconds, ours.process()::cpuTime);
    }

    @Nullable HttpSide theirs(Size size, int seconds) {
      return web == null
          ? null
          : side(web.uri().resolve("/" + size.label), size, seconds, web::cpuTime);
    }

    private HttpSide side(URI target, Size size, int seconds, Supplier<CpuTime> cpu) {
      return new HttpSide(wrk, new Load(target, size.connections, 1, seconds), cpu);
    }
  }

  private void get(BenchRun run, Readers readers, Size size)
      throws IOException, InterruptedException {
    String path = "/" + BUCKET + "/" + size.label;
    try (S3Line line = readers.ours.line()) {
      line.put(path, object(size));
    }
    URI own = readers.ours.presigned(path);
    SameAnswer.require(own, object(size));
    HttpSide second = readers.mine(own, size, 1);
    warmUp(second, readers.ours);
    int seconds = Math.toIntExact(run.sideTime().toSeconds());
    Rounds<HttpSide.Sample> rounds =
        run.interleave(
            "s3 get-" + size.label + " / nginx",
            readers.mine(own, size, seconds),
            readers.theirs(size, seconds));
    String name = "get-" + size.label;
    run.compare(
        name + "-cpu",
        "requests/cpu-s",
        readers.nginx,
        rounds,
        HttpSide.Sample::requestsPerCpuSecond);
    run.compare(
        name + "-rate", "requests/s", readers.nginx, rounds, HttpSide.Sample::requestsPerSecond);
  }

  private static byte[] object(Size size) {
    byte[] bytes = new byte[size.bytes];
    new SplittableRandom(size.bytes).nextBytes(bytes);
    return bytes;
  }

  private void warmUp(Side<?> ours, S3Server server) throws IOException, InterruptedException {
    double cold = server.process().cpuTime().seconds();
    for (int load = 0; load < WARM_UP_LOADS_MAX; load++) {
      if (server.process().cpuTime().seconds() - cold >= warmUpCpuSeconds) {
        return;
      }
      ours.measure();
    }
  }

  /** All objects of the option, a part of them in each round; the warm-up comes on top. */
  private void create(BenchRun run, S3Server ours) throws IOException, InterruptedException {
    long objects =
        Math.clamp(run.objects(keys) / run.rounds(), WRITERS, CREATED_MAX / run.rounds());
    var names = new AtomicLong(Long.MAX_VALUE / 2);
    Rounds<S3Server.Sample> rounds =
        run.interleave(
            "s3 create-1k",
            () -> {
              long end = names.get() + objects;
              S3Server.Sample sample =
                  ours.load(
                      WRITERS,
                      CREATE_LIMIT,
                      line -> {
                        long number = names.getAndIncrement();
                        return number < end ? putOne(line, number, CREATE_BYTES) : 0;
                      });
              return sample;
            },
            () -> new S3Server.Sample(AIM_CREATES, AIM_CREATES, 0, 0));
    Peer aim = Peer.inThisJvm("the aim");
    run.compare("create-1k-rate", "objects/s", aim, rounds, S3Server.Sample::perSecond);
    run.compare("create-1k-cpu", "objects/cpu-s", aim, rounds, S3Server.Sample::perCpuSecond);
  }

  private void many(BenchRun run) throws IOException, InterruptedException {
    int names = run.objects(keys);
    try (TempFolder folder = TempFolder.onDisk()) {
      run.say("naming " + names + " objects");
      List<String> fill =
          ChildJvmCommand.hashing(
              S3FillMain.class, folder.path().toString(), Integer.toString(names));
      ToolRun.succeeding("fill", fill, FILL_LIMIT);
      starts(run, folder.path(), names);
      try (S3Server ours = S3Server.ours(folder.path())) {
        list(run, ours, names);
      }
    }
  }

  private static void list(BenchRun run, S3Server ours, int names)
      throws IOException, InterruptedException {
    try (S3Line line = ours.line()) {
      int found = 0;
      for (int page = line.page(S3FillMain.BUCKET); page > 0; page = next(line, found, names)) {
        found += page;
      }
      if (found != names) {
        throw new IOException("listed " + found + " keys of " + names);
      }
    }
    Rounds<S3Server.Sample> rounds =
        run.interleave(
            "s3 list",
            () -> ours.load(1, run.sideTime(), line -> line.page(S3FillMain.BUCKET)),
            () -> new S3Server.Sample(AIM_KEYS, AIM_KEYS, 0, 0));
    Peer aim = Peer.inThisJvm("the aim");
    String name = "list-of-" + names;
    run.compare(name + "-rate", "keys/s", aim, rounds, S3Server.Sample::perSecond);
    run.compare(name + "-cpu", "keys/cpu-s", aim, rounds, S3Server.Sample::perCpuSecond);
  }

  /** Nothing behind the last key, where a line would begin anew. */
  private static int next(S3Line line, int found, int names) throws IOException {
    return found < names ? line.page(S3FillMain.BUCKET) : 0;
  }

  private static void starts(BenchRun run, Path folder, int names)
      throws IOException, InterruptedException {
    Rounds<Start> rounds =
        run.interleave(
            "s3 start",
            () -> start(folder, names - 1L),
            () -> new Start(AIM_START_SECONDS, AIM_HEAP_MIB));
    Peer aim = Peer.inThisJvm("the aim");
    String name = "start-with-" + names;
    run.compare(name, "s", aim, rounds, Start::seconds);
    run.compare(name + "-heap", "MiB", aim, rounds, Start::heapMib);
  }

  private static Start start(Path folder, long last) throws IOException, InterruptedException {
    String path = "/" + S3FillMain.BUCKET + "/" + S3FillMain.key(last);
    List<String> command = ChildJvmCommand.hashing(S3StartMain.class, folder.toString(), path);
    String line = ToolRun.succeeding("start", command, START_LIMIT).output().strip();
    String[] words = line.lines().toList().getLast().split(" ", -1);
    if (!words[2].equals(Long.toString(last))) {
      throw new IOException("a start found another object than was put: " + line);
    }
    return new Start(Double.parseDouble(words[0]), Double.parseDouble(words[1]) / MIB);
  }
}
