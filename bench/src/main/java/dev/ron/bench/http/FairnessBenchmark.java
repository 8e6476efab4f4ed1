package dev.ron.bench.http;

import dev.ron.bench.load.ClosedLoopClient;
import dev.ron.bench.plot.Plot;
import dev.ron.bench.process.ChildJvmCommand;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.Rounds;
import dev.ron.bench.run.Side;
import dev.ron.kernel.supervise.Threads;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a quiet tenant feels while a loud one keeps 32 or 128 connections busy before a backend with
 * four places: our gateway with fairness on, with fairness off, and nginx; beside the quiet tenant
 * alone.
 *
 * <p>Latencies are better when smaller, so here a ratio below 1 is ours being better. The plot is
 * the course of one such run: the quiet tenant's median of each quarter of a second, the loud
 * tenant joining after a second.
 *
 * <p>Threading: immutable; clients are virtual threads that end with their round.
 */
public final class FairnessBenchmark implements Benchmark {
  private static final int PLACES = 4;
  private static final List<Integer> LOUD = List.of(32, 128);
  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final int THINK_MILLIS = 5;
  private static final int SLOT_MILLIS = 250;
  private static final int QUIET_SLOTS = 4;
  private static final int LOUD_SLOTS = 12;

  @Override
  public String name() {
    return "fairness";
  }

  @Override
  public String what() {
    return "a quiet tenant's p99 beside a loud one, before a backend with four places";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(NginxPeer.find(searchPath));
  }

  /** The three proxies, before the same backend. */
  private record Contest(ServerTarget fair, ServerTarget unfair, @Nullable NginxPeer nginx) {}

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    Peer nginx = NginxPeer.find(run.searchPath());
    try (TempFolder folder = TempFolder.create()) {
      int port = ChildProcess.freePort();
      var command =
          ChildJvmCommand.command(
              BoundedBackendMain.class, Integer.toString(port), Integer.toString(PLACES));
      Path log = folder.path().resolve("places.log");
      URI backend = URI.create("http://127.0.0.1:" + port);
      try (ChildProcess places = ChildProcess.listen("places", port, command, log, START_LIMIT);
          ServerTarget fair = gateway(backend, folder.path().resolve("fair.log"), true);
          ServerTarget unfair = gateway(backend, folder.path().resolve("unfair.log"), false);
          NginxPeer theirs = nginx.isPresent() ? NginxPeer.proxying(nginx, backend, 1) : null) {
        run.say("backend " + places.pid() + " with " + PLACES + " places");
        var contest = new Contest(fair, unfair, theirs);
        for (int loud : LOUD) {
          measure(run, contest, nginx, loud);
        }
        shares(run, fair);
        run.draw(course(contest));
      }
    }
  }

  private static ServerTarget gateway(URI backend, Path log, boolean fair)
      throws IOException, InterruptedException {
    return ServerTarget.gateway(
        backend,
        PLACES,
        log,
        "drr.enabled=" + fair,
        "drr.tenant_header=X-Tenant",
        "drr.tenant_quanta={ triple = 3 }");
  }

  private static void measure(BenchRun run, Contest contest, Peer nginx, int loud)
      throws IOException, InterruptedException {
    Duration time = run.sideTime();
    URI ours = contest.fair().uri();
    Side<Double> fair = () -> p99Millis(quiet(ours, loud, time));
    Side<Double> alone = () -> p99Millis(quiet(ours, 0, time));
    Side<Double> unfair = () -> p99Millis(quiet(contest.unfair().uri(), loud, time));
    String name = "quiet-p99-" + loud;
    compare(run, name, fair, Peer.inThisJvm("the quiet tenant alone"), alone);
    compare(run, name, fair, Peer.inThisJvm("ours with fairness off"), unfair);
    NginxPeer theirs = contest.nginx();
    compare(
        run,
        name,
        fair,
        nginx,
        theirs == null ? null : () -> p99Millis(quiet(theirs.uri(), loud, time)));
  }

  private static void compare(
      BenchRun run, String name, Side<Double> ours, Peer peer, @Nullable Side<Double> theirs)
      throws IOException, InterruptedException {
    Rounds<Double> rounds = run.interleave("fairness " + name + " / " + peer.name(), ours, theirs);
    run.compare(name, "ms", peer, rounds, value -> value);
  }

  /** Three times the quantum beside once, and equals beside each other. */
  private static void shares(BenchRun run, ServerTarget fair)
      throws IOException, InterruptedException {
    URI uri = fair.uri();
    List<String> tenants = List.of("triple", "one", "two");
    // Four places of 20 ms each answer 200 a second, three fifths of them to the one with three.
    long seconds = run.sideTime().toSeconds();
    Side<double[]> ideal = () -> new double[] {120.0 * seconds, 40.0 * seconds, 40.0 * seconds};
    Side<double[]> side = () -> answered(uri, tenants, 16, run.sideTime());
    Rounds<double[]> rounds = run.interleave("fairness shares", side, ideal);
    Peer same = Peer.inThisJvm("the ideal, computed");
    run.compare("share-3-to-1", "ratio", same, rounds, counts -> counts[0] / counts[1]);
    run.compare("jain-of-two-equals", "index", same, rounds, c -> jain(c[1], c[2]));
    run.compare(
        "answered-by-all",
        "answers/s",
        same,
        rounds,
        c -> Arrays.stream(c).sum() / run.sideTime().toSeconds());
  }

  private static double jain(double... shares) {
    double sum = Arrays.stream(shares).sum();
    return sum * sum / (shares.length * Arrays.stream(shares).map(x -> x * x).sum());
  }

  // ---- load

  /** The quiet tenant's latencies, in the order they came, while so many loud clients ask. */
  private static List<Timed> quiet(URI server, int loud, Duration time)
      throws IOException, InterruptedException {
    try (var noise = new LoudClients(server, List.of("loud"), loud)) {
      noise.begin();
      List<Timed> taken = ask(server, time);
      noise.requireWell();
      return taken;
    }
  }

  private record Timed(long atNanos, double millis) {}

  private static List<Timed> ask(URI server, Duration time)
      throws IOException, InterruptedException {
    List<Timed> taken = new ArrayList<>();
    long begun = System.nanoTime();
    try (var client = new ClosedLoopClient(server, "quiet")) {
      while (System.nanoTime() - begun < time.toNanos()) {
        long at = System.nanoTime() - begun;
        taken.add(new Timed(at, client.ask().toNanos() / 1e6));
        pause(THINK_MILLIS);
      }
    }
    return taken;
  }

  private static double[] answered(URI server, List<String> tenants, int clients, Duration time)
      throws IOException, InterruptedException {
    try (var noise = new LoudClients(server, tenants, clients)) {
      noise.begin();
      pause(SLOT_MILLIS);
      double[] before = noise.answered();
      pause(time.toMillis());
      double[] after = noise.answered();
      noise.requireWell();
      return IntStream.range(0, after.length).mapToDouble(i -> after[i] - before[i]).toArray();
    }
  }

  private static double p99Millis(List<Timed> taken) {
    double[] sorted = taken.stream().mapToDouble(Timed::millis).sorted().toArray();
    return sorted[Math.min(sorted.length - 1, sorted.length * 99 / 100)];
  }

  private static void pause(long millis) throws InterruptedException {
    var _ = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
  }

  // ---- the plot

  private static Plot course(Contest contest) throws IOException, InterruptedException {
    List<Plot.Series> series = new ArrayList<>();
    series.add(course("ours, fairness on", contest.fair().uri()));
    series.add(course("ours, fairness off", contest.unfair().uri()));
    NginxPeer nginx = contest.nginx();
    if (nginx != null) {
      series.add(course("nginx", nginx.uri()));
    }
    List<String> places =
        IntStream.range(0, QUIET_SLOTS + LOUD_SLOTS)
            .mapToObj(i -> i % 2 == 0 ? Double.toString(i * SLOT_MILLIS / 1000.0) : "")
            .toList();
    return new Plot(
        "the quiet tenant's latency; 128 loud connections join after 1 s",
        "seconds",
        "ms, median of a quarter second",
        Plot.Kind.LINES,
        places,
        series,
        null);
  }

  private static Plot.Series course(String name, URI server)
      throws IOException, InterruptedException {
    Duration time = Duration.ofMillis((long) SLOT_MILLIS * (QUIET_SLOTS + LOUD_SLOTS));
    try (var noise = new LoudClients(server, List.of("loud"), LOUD.getLast())) {
      Thread later =
          Threads.virtual()
              .start(
                  "bench/later",
                  () -> {
                    try {
                      pause((long) SLOT_MILLIS * QUIET_SLOTS);
                      noise.begin();
                    } catch (InterruptedException stop) {
                      Thread.currentThread().interrupt();
                    }
                  });
      List<Timed> taken = ask(server, time);
      later.join();
      noise.requireWell();
      return new Plot.Series(name, medians(taken));
    }
  }

  /** A slot in which no answer came has what the next one took. */
  private static List<Double> medians(List<Timed> taken) {
    List<Double> medians = new ArrayList<>();
    double next = taken.getLast().millis();
    for (int slot = QUIET_SLOTS + LOUD_SLOTS - 1; slot >= 0; slot--) {
      int wanted = slot;
      double[] inside =
          taken.stream()
              .filter(one -> one.atNanos() / 1_000_000 / SLOT_MILLIS == wanted)
              .mapToDouble(Timed::millis)
              .sorted()
              .toArray();
      next = inside.length == 0 ? next : inside[inside.length / 2];
      medians.addFirst(next);
    }
    return medians;
  }
}
