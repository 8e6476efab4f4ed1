package dev.ron.bench.load;

import dev.ron.bench.process.CpuTime;
import dev.ron.bench.run.Side;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * A server under load as one side of a comparison: its rate, its latencies, and the CPU time the
 * server itself spent, the generator's not counted.
 *
 * <p>Threading: immutable.
 *
 * @param serverCpu the server's CPU time so far, such as {@code ChildProcess#cpuTime}
 */
public record HttpSide(LoadGenerator generator, Load load, Supplier<CpuTime> serverCpu)
    implements Side<HttpSide.Sample> {
  /** What one round measured. */
  public record Sample(
      double requestsPerSecond, double requestsPerCpuSecond, double p50Millis, double p99Millis) {}

  @Override
  public Sample measure() throws IOException, InterruptedException {
    CpuTime before = serverCpu.get();
    LoadResult result = generator.run(load);
    CpuTime spent = serverCpu.get().minus(before);
    if (result.errors() > 0 || result.requests() == 0) {
      // A server that refuses is quick; its rate must not be taken for a good one.
      throw new IOException(load.target() + " did not answer well under load: " + result);
    }
    return new Sample(
        result.requestsPerSecond(),
        spent.rate((double) result.requests()),
        result.p50Millis(),
        result.p99Millis());
  }
}
