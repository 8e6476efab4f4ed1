package dev.ron.bench.http;

import dev.ron.bench.load.HttpSide;
import dev.ron.bench.load.Load;
import dev.ron.bench.load.LoadGenerator;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.Rounds;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What metering costs: our server with it beside the same one without it, in turns, both in one
 * JVM. The answer is a few bytes from memory, so that no request has less to hide the cost behind.
 *
 * <p>What is looked for is less than a percent and a round is worth a few, so it takes many short
 * rounds, such as {@code --rounds 60 --seconds 1}; where the median of all of them lies is said
 * with its bounds.
 *
 * <p>Threading: immutable.
 */
public final class UsageBenchmark implements Benchmark {
  private static final int CONNECTIONS_PER_THREAD = 32;

  /** See {@link HttpBenchmark}: a fresh JVM is warm when it has spent so much CPU time. */
  private static final int WARM_UP_CPU_SECONDS = 6;

  /** Half of a normal deviation's 1.96, in ranks by the root of their number. */
  private static final double NINETEEN_OF_TWENTY = 0.98;

  private static final int WARM_UP_LOADS_MAX = 30;
  private static final int WARM_UP_LOAD_SECONDS = 3;
  private static final Peer WITHOUT = Peer.inThisJvm("without-metering");

  @Override
  public String name() {
    return "usage";
  }

  @Override
  public String what() {
    return "requests per CPU second with metering beside the same server without it";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(WITHOUT, LoadGenerator.wrk(searchPath).program());
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    LoadGenerator wrk = LoadGenerator.wrk(run.searchPath());
    if (!wrk.program().isPresent()) {
      run.absent("metered-cpu", "requests/cpu-s", WITHOUT, wrk.program());
      return;
    }
    int share = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, Load.THREADS_MAX);
    int plainPort = ChildProcess.freePort();
    try (TempFolder folder = TempFolder.create();
        ServerTarget target =
            ServerTarget.metered(
                folder.path().resolve("usage"), plainPort, share, folder.path().resolve("log"))) {
      URI plain = URI.create("http://127.0.0.1:" + plainPort);
      warmUp(side(wrk, target, plain, share, WARM_UP_LOAD_SECONDS));
      warmUp(side(wrk, target, target.uri(), share, WARM_UP_LOAD_SECONDS));
      int seconds = Math.toIntExact(run.sideTime().toSeconds());
      Rounds<HttpSide.Sample> rounds =
          run.interleave(
              "with metering / without",
              side(wrk, target, target.uri(), share, seconds),
              side(wrk, target, plain, share, seconds));
      run.compare(
          "metered-cpu", "requests/cpu-s", WITHOUT, rounds, HttpSide.Sample::requestsPerCpuSecond);
      run.compare(
          "metered-rate", "requests/s", WITHOUT, rounds, HttpSide.Sample::requestsPerSecond);
      run.table(bounds(rounds));
    }
  }

  /** Between which of the rounds' ratios the median lies, whatever their distribution is. */
  private static String bounds(Rounds<HttpSide.Sample> rounds) {
    double[] ratios = rounds.ours(HttpSide.Sample::requestsPerCpuSecond);
    double[] plain = rounds.peer(HttpSide.Sample::requestsPerCpuSecond);
    Arrays.setAll(ratios, i -> ratios[i] / plain[i]);
    Arrays.sort(ratios);
    int last = ratios.length - 1;
    int aside = (int) Math.ceil(NINETEEN_OF_TWENTY * Math.sqrt(ratios.length));
    return String.format(
        Locale.ROOT,
        "requests per CPU second with metering to without: 19 times of 20 between %.4f and %.4f",
        ratios[Math.max(0, (last - 2 * aside) / 2)],
        ratios[Math.min(last, (last + 2 * aside + 1) / 2)]);
  }

  private static void warmUp(HttpSide side) throws IOException, InterruptedException {
    double cold = side.serverCpu().get().seconds();
    for (int load = 0; load < WARM_UP_LOADS_MAX; load++) {
      if (side.serverCpu().get().seconds() - cold >= WARM_UP_CPU_SECONDS) {
        return;
      }
      side.measure();
    }
  }

  private static HttpSide side(
      LoadGenerator wrk, ServerTarget target, URI door, int share, int seconds) {
    int connections = share * CONNECTIONS_PER_THREAD;
    var load = new Load(door.resolve("/hello"), connections, share, seconds, Map.of());
    return new HttpSide(wrk, load, target::cpuTime);
  }
}
