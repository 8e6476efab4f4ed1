package dev.ron.bench.store;

import dev.ron.bench.load.ClosedLoopClient;
import dev.ron.bench.process.ChildJvmCommand;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.Rounds;
import dev.ron.bench.run.Side;
import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What readers of a node feel while another node repairs itself from it: the p99 of reads with
 * repair running, beside the p99 of the same reads without.
 *
 * <p>Two nodes, two copies of everything, both nodes and the readers on this machine. Before a
 * round with repair the second node loses its copies, so that it fetches them from the first for as
 * long as the round lasts, at the default repair rate.
 *
 * <p>Latencies are better when smaller; the ratio is what repair costs a reader.
 *
 * <p>Threading: immutable; one run at a time.
 */
public final class RepairBenchmark implements Benchmark {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final int READ_BYTES = 64 << 10;
  private static final int COLD_BYTES = 1 << 20;

  /** At the default rate so many are fetched in a second. */
  private static final int COLD_PER_SECOND = 50;

  private static final int THINK_MILLIS = 2;
  private static final int LOOKS_MAX = 1200;

  @Override
  public String name() {
    return "repair";
  }

  @Override
  public String what() {
    return "the p99 of reads while another node repairs itself, beside the p99 without";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(Peer.inThisJvm("no repair"));
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    try (TempFolder folder = TempFolder.create();
        HttpClient http = HttpClient.newHttpClient()) {
      int first = ChildProcess.freePort();
      int second = ChildProcess.freePort();
      String peers =
          "cluster.peers=a=http://127.0.0.1:%d,b=http://127.0.0.1:%d".formatted(first, second);
      try (ChildProcess a = node("a", first, peers, folder.path());
          ChildProcess b = node("b", second, peers, folder.path())) {
        run.say("nodes " + a.pid() + " and " + b.pid() + ", two copies of everything");
        var pair = new Pair(http, uri(first), uri(second), run.sideTime());
        pair.fill();
        Side<Double> with = pair::p99WithRepair;
        Side<Double> without = pair::p99WithoutRepair;
        Rounds<Double> rounds = run.interleave("repair get-p99", with, without);
        run.compare("get-p99", "ms", Peer.inThisJvm("no repair"), rounds, value -> value);
        run.say("repair moved, MiB/s in each round with it: " + pair.repairRates());
      }
    }
  }

  private static ChildProcess node(String name, int port, String peers, Path folder)
      throws IOException, InterruptedException {
    List<String> command =
        ChildJvmCommand.hashing(
            RepairTargetMain.class,
            "bind=127.0.0.1:" + port,
            "data_dirs=" + folder.resolve(name).toAbsolutePath(),
            "cluster.node=" + name,
            "durability.replication=2",
            "durability.plan_period=1s",
            "durability.delete_grace=0s",
            peers);
    return ChildProcess.listen(name, port, command, folder.resolve(name + ".log"), START_LIMIT);
  }

  private static URI uri(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** The two nodes, and what they have. */
  private static final class Pair {
    private static final Pattern LEFT =
        Pattern.compile("\"plans\":\\{\"all\":(\\d+).*\"missing\":(\\d+)");

    private static final Pattern MOVED = Pattern.compile("\"moved_bytes\":(\\d+)");

    private final HttpClient http;
    private final URI first;
    private final URI second;
    private final Duration time;
    private final List<Address> cold = new ArrayList<>();
    private final List<Long> repairRates = new ArrayList<>();
    private Address read = new Address(Blake3.hash(new byte[0]));

    Pair(HttpClient http, URI first, URI second, Duration time) {
      this.http = http;
      this.first = first;
      this.second = second;
      this.time = time;
    }

    void fill() throws IOException, InterruptedException {
      var random = new SplittableRandom(1);
      await("the nodes hear each other", () -> put(object(random, READ_BYTES)));
      byte[] warm = object(random, READ_BYTES);
      require(put(warm), "a write is refused");
      read = new Address(Blake3.hash(warm));
      long count = COLD_PER_SECOND * (time.toSeconds() + 1);
      for (long i = 0; i < count; i++) {
        byte[] object = object(random, COLD_BYTES);
        require(put(object), "a write is refused");
        cold.add(new Address(Blake3.hash(object)));
      }
    }

    private static byte[] object(SplittableRandom random, int bytes) {
      byte[] object = new byte[bytes];
      random.nextBytes(object);
      return object;
    }

    private boolean put(byte[] object) throws IOException, InterruptedException {
      URI at = first.resolve("/o/" + new Address(Blake3.hash(object)));
      return send("PUT", at, object).statusCode() < 300;
    }

    double p99WithRepair() throws IOException, InterruptedException {
      settle();
      for (Address address : cold) {
        send("DELETE", second.resolve("/peer/o/" + address), new byte[0]);
      }
      await("repair begins", () -> left() > 0);
      long before = moved();
      double p99 = p99Millis();
      repairRates.add((moved() - before) / (time.toSeconds() << 20));
      require(left() > 0, "repair ended before the reads did");
      return p99;
    }

    double p99WithoutRepair() throws IOException, InterruptedException {
      settle();
      return p99Millis();
    }

    private void settle() throws IOException, InterruptedException {
      await("repair ends", () -> left() == 0);
    }

    /** Planned and not done on the node that lost its copies. */
    private long left() throws IOException, InterruptedException {
      Matcher found = LEFT.matcher(send("GET", second.resolve("/repair"), new byte[0]).body());
      require(found.find(), "no plans in what a node says of its repair");
      return Long.parseLong(found.group(1)) + Long.parseLong(found.group(2));
    }

    /** A ratio that is good because repair stood still would be none. */
    List<Long> repairRates() {
      return List.copyOf(repairRates);
    }

    private long moved() throws IOException, InterruptedException {
      Matcher found = MOVED.matcher(send("GET", second.resolve("/repair"), new byte[0]).body());
      require(found.find(), "no bytes in what a node says of its repair");
      return Long.parseLong(found.group(1));
    }

    private double p99Millis() throws IOException, InterruptedException {
      var taken = new ArrayList<Double>();
      long begun = System.nanoTime();
      try (var client = new ClosedLoopClient(first.resolve("/o/" + read), "reader")) {
        while (System.nanoTime() - begun < time.toNanos()) {
          taken.add(client.ask().toNanos() / 1e6);
          pause(THINK_MILLIS);
        }
      }
      double[] sorted = taken.stream().mapToDouble(Double::doubleValue).toArray();
      Arrays.sort(sorted);
      return sorted[Math.min(sorted.length - 1, sorted.length * 99 / 100)];
    }

    private HttpResponse<String> send(String method, URI uri, byte[] body)
        throws IOException, InterruptedException {
      HttpRequest request =
          HttpRequest.newBuilder(uri)
              .timeout(START_LIMIT)
              .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
              .build();
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private interface Look {
      boolean holds() throws IOException, InterruptedException;
    }

    private static void await(String what, Look look) throws IOException, InterruptedException {
      for (int i = 0; i < LOOKS_MAX; i++) {
        if (look.holds()) {
          return;
        }
        pause(50);
      }
      throw new IOException("never: " + what);
    }

    private static void require(boolean holds, String otherwise) throws IOException {
      if (!holds) {
        throw new IOException(otherwise);
      }
    }

    private static void pause(long millis) throws InterruptedException {
      var _ = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
    }
  }
}
