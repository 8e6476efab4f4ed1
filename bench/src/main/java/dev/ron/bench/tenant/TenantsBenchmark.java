package dev.ron.bench.tenant;

import dev.ron.bench.http.BoundedBackendMain;
import dev.ron.bench.process.ChildJvmCommand;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.NodeTarget;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.Rounds;
import dev.ron.bench.run.Side;
import dev.ron.bench.run.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What tenants get of a whole node, door by door: the shares of three with weights 1, 2 and 4 that
 * ask as fast as they are answered, and the times of a quiet tenant beside a loud one with 128
 * connections, in turns with the quiet tenant alone, and in turns with the same loud tenant at
 * another node of the same machine. The last tells how much of the difference is the machine's,
 * which the load makes busy wherever it goes, and how much is the node's.
 *
 * <p>A share's peer is what its weight says, so a ratio between 0.9 and 1.1 is within a tenth. Of
 * times a ratio of at most 2 is aimed at. The node, the loud tenants and the quiet one are three
 * processes.
 *
 * <p>Threading: immutable; one run at a time.
 */
public final class TenantsBenchmark implements Benchmark {
  private static final List<String> WEIGHED = List.of("one", "two", "four");
  private static final List<Integer> WEIGHTS = List.of(1, 2, 4);
  private static final int WEIGHED_CONNECTIONS = 64;
  private static final int LOUD_CONNECTIONS = 128;
  private static final int THINK_MILLIS = 2;
  private static final int PLACES = 4;
  private static final Duration START_LIMIT = Duration.ofMinutes(1);
  private static final Peer BY_WEIGHT = Peer.inThisJvm("by-weight");
  private static final Peer ALONE = Peer.inThisJvm("alone");
  private static final Peer ELSEWHERE = Peer.inThisJvm("loud-elsewhere");

  @Override
  public String name() {
    return "tenants";
  }

  @Override
  public String what() {
    return "shares by weight, and a quiet tenant beside 128 loud connections, at every door of a node";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(BY_WEIGHT, ALONE, ELSEWHERE);
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    List<TenantDoor> doors = doors(run);
    Path launcher =
        NodeTarget.launcher()
            .orElseThrow(
                () -> new IOException("a node is started by the launcher: `./ron bench tenants`"));
    try (TempFolder folder = TempFolder.onDisk();
        Place here = Place.start(launcher, folder.path().resolve("here"));
        Place elsewhere = Place.start(launcher, folder.path().resolve("elsewhere"))) {
      var results = new TenantResults();
      for (TenantDoor door : doors) {
        measure(run, here, elsewhere, door, results);
      }
      run.table(results.toString());
    }
  }

  private static List<TenantDoor> doors(BenchRun run) throws IOException {
    if (run.service().isEmpty()) {
      return List.of(TenantDoor.values());
    }
    String wanted = run.service().get();
    return List.of(
        Arrays.stream(TenantDoor.values())
            .filter(door -> door.word().equals(wanted))
            .findFirst()
            .orElseThrow(
                () ->
                    new IOException(
                        "--service %s: it is one of %s"
                            .formatted(
                                wanted,
                                String.join(
                                    ", ",
                                    Arrays.stream(TenantDoor.values())
                                        .map(TenantDoor::word)
                                        .toList())))));
  }

  private static void measure(
      BenchRun run, Place here, Place elsewhere, TenantDoor door, TenantResults results)
      throws IOException, InterruptedException {
    NodeTarget node = here.node();
    Path folder = here.folder();
    List<TenantRequest> weighed = new ArrayList<>();
    for (String tenant : WEIGHED) {
      weighed.add(door.prepare(node, tenant));
    }
    int port = door.port(node);
    Duration time = run.sideTime();
    Side<LoudTenants.Counts> taken =
        () -> {
          try (var loud = LoudTenants.begin(folder, port, weighed, WEIGHED_CONNECTIONS, time)) {
            return loud.counts();
          }
        };
    Side<LoudTenants.Counts> byWeight = () -> new LoudTenants.Counts(List.of(1L, 2L, 4L), 0);
    Rounds<LoudTenants.Counts> shares = run.interleave(door.word() + " shares", taken, byWeight);
    for (int i = 0; i < WEIGHED.size(); i++) {
      int tenant = i;
      String name = "%s-share-of-%d".formatted(door.word(), WEIGHTS.get(i));
      run.compare(name, "share", BY_WEIGHT, shares, counts -> counts.share(tenant));
    }
    TenantRequest loud = door.prepare(node, "loud");
    TenantRequest quiet = door.prepare(node, "quiet");
    Side<TenantResults.Times> beside =
        () -> beside(folder, port, loud, () -> ask(port, quiet, time));
    Side<TenantResults.Times> alone = () -> ask(port, quiet, time);
    TenantRequest far = door.prepare(elsewhere.node(), "loud");
    int farPort = door.port(elsewhere.node());
    Side<TenantResults.Times> apart =
        () -> beside(folder, farPort, far, () -> ask(port, quiet, time));
    Rounds<TenantResults.Times> withAlone = compare(run, door, beside, ALONE, alone);
    Rounds<TenantResults.Times> withApart = compare(run, door, beside, ELSEWHERE, apart);
    results.add(door.word(), shares, withAlone, withApart, time.toMillis() / 1e3);
  }

  private static Rounds<TenantResults.Times> compare(
      BenchRun run,
      TenantDoor door,
      Side<TenantResults.Times> beside,
      Peer peer,
      Side<TenantResults.Times> other)
      throws IOException, InterruptedException {
    Rounds<TenantResults.Times> times =
        run.interleave(door.word() + " quiet / " + peer.name(), beside, other);
    run.compare(door.word() + "-quiet-p50", "ms", peer, times, TenantResults.Times::p50Millis);
    run.compare(door.word() + "-quiet-p99", "ms", peer, times, TenantResults.Times::p99Millis);
    return times;
  }

  private static TenantResults.Times beside(
      Path folder, int port, TenantRequest loud, Side<TenantResults.Times> quiet)
      throws IOException, InterruptedException {
    Duration counted = Duration.ofMillis(1);
    try (var noise = LoudTenants.begin(folder, port, List.of(loud), LOUD_CONNECTIONS, counted)) {
      TenantResults.Times times = quiet.measure();
      noise.requireRunning();
      return times;
    }
  }

  /** The quiet tenant: one connection, a short rest after each answer. */
  private static TenantResults.Times ask(int port, TenantRequest request, Duration time)
      throws IOException, InterruptedException {
    List<Long> nanos = new ArrayList<>();
    long begun = System.nanoTime();
    try (var client = new TenantClient(port, request, System.currentTimeMillis() << 16)) {
      while (System.nanoTime() - begun < time.toNanos()) {
        long before = System.nanoTime();
        if (!client.ask()) {
          throw new IOException("the quiet tenant was refused");
        }
        nanos.add(System.nanoTime() - before);
        var _ = new CountDownLatch(1).await(THINK_MILLIS, TimeUnit.MILLISECONDS);
      }
    }
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    return new TenantResults.Times(
        Spread.percentile(sorted, 0.50) / 1e6,
        Spread.percentile(sorted, 0.99) / 1e6,
        sorted.length);
  }

  /** A node with its own upstreams and folder. */
  private record Place(Path folder, Upstream proxied, Upstream filled, NodeTarget node)
      implements AutoCloseable {
    static Place start(Path launcher, Path folder) throws IOException, InterruptedException {
      Files.createDirectories(folder);
      Upstream proxied = Upstream.start(folder);
      Upstream filled = Upstream.start(folder);
      String config = config(proxied.port(), filled.port(), ChildProcess.freePort());
      return new Place(folder, proxied, filled, NodeTarget.start(launcher, folder, config));
    }

    @Override
    public void close() {
      node.close();
      filled.close();
      proxied.close();
    }
  }

  /** What stands behind the gateway and the edge: four places of 20 ms. */
  private record Upstream(int port, ChildProcess process) implements AutoCloseable {
    static Upstream start(Path folder) throws IOException, InterruptedException {
      int port = ChildProcess.freePort();
      var command =
          ChildJvmCommand.command(
              BoundedBackendMain.class, Integer.toString(port), Integer.toString(PLACES));
      Path log = folder.resolve("upstream-" + port + ".log");
      return new Upstream(port, ChildProcess.listen("upstream", port, command, log, START_LIMIT));
    }

    @Override
    public void close() {
      process.close();
    }
  }

  /** No bound but those that are measured; one shard, since a shard is what senders share. */
  private static String config(int proxied, int filled, int storage) {
    var tenants = new StringBuilder();
    for (int i = 0; i < WEIGHED.size(); i++) {
      tenants.append(
          "[[tenants]]\nname = \"%s\"\nweight = %d\n".formatted(WEIGHED.get(i), WEIGHTS.get(i)));
    }
    return String.format(
        Locale.ROOT,
        """
        danger_ok = true
        [node]
        limits = "open"
        [gateway]
        limits = { rps = 0 }
        routes = [{ prefix = "/", auth = "none", timeout = "30s", max_concurrent = %1$d, \
        upstreams = ["http://127.0.0.1:%2$d"] }]
        [edge]
        mode = "live"
        ingress = { rps_limit = 0 }
        fill = { workers = %1$d }
        mounts = [{ prefix = "bench", upstream = "http://127.0.0.1:%3$d", allow_http = true, \
        allow_private = true }]
        [mailbox]
        shard_count = 1
        shard_capacity = 10000000
        [storage]
        bind = "127.0.0.1:%5$d"
        [rewarder]
        require_signed_policy = false
        storage_url = "http://127.0.0.1:%5$d"
        %4$s""",
        PLACES,
        proxied,
        filled,
        tenants,
        storage);
  }
}
