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
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What metering costs: our server with it beside the same one without it, in turns. The answer is a
 * few bytes from memory, so that no request has less to hide the cost behind.
 *
 * <p>Threading: immutable.
 */
public final class UsageBenchmark implements Benchmark {
  private static final int CONNECTIONS_PER_THREAD = 32;

  /** See {@link HttpBenchmark}: a fresh JVM is warm when it has spent so much CPU time. */
  private static final int WARM_UP_CPU_SECONDS = 6;

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
    try (TempFolder folder = TempFolder.create();
        ServerTarget metered = target(folder.path(), share, true);
        ServerTarget plain = target(folder.path(), share, false)) {
      warmUp(side(wrk, metered, share, WARM_UP_LOAD_SECONDS));
      warmUp(side(wrk, plain, share, WARM_UP_LOAD_SECONDS));
      int seconds = Math.toIntExact(run.sideTime().toSeconds());
      Rounds<HttpSide.Sample> rounds =
          run.interleave(
              "with metering / without",
              side(wrk, metered, share, seconds),
              side(wrk, plain, share, seconds));
      run.compare(
          "metered-cpu", "requests/cpu-s", WITHOUT, rounds, HttpSide.Sample::requestsPerCpuSecond);
      run.compare(
          "metered-rate", "requests/s", WITHOUT, rounds, HttpSide.Sample::requestsPerSecond);
    }
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

  private static ServerTarget target(Path folder, int share, boolean metered)
      throws IOException, InterruptedException {
    String name = metered ? "metered" : "plain";
    return ServerTarget.metered(
        folder.resolve(name), share, metered, folder.resolve(name + ".log"));
  }

  private static HttpSide side(LoadGenerator wrk, ServerTarget target, int share, int seconds) {
    var load =
        new Load(
            target.uri().resolve("/hello"),
            share * CONNECTIONS_PER_THREAD,
            share,
            seconds,
            Map.of());
    return new HttpSide(wrk, load, target::cpuTime);
  }
}
