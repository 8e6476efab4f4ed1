package dev.ron.content;

import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.time.Time;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/**
 * What one store counts, see {@link ContentMetrics}.
 *
 * <p>Threading: immutable; the meters themselves are thread-safe.
 */
public record StoreMeters(
    CounterDataPoint writtenBytes,
    DistributionDataPoint flushSeconds,
    CounterDataPoint flushFailures,
    CounterDataPoint compactions,
    CounterDataPoint compactedBytes,
    CounterDataPoint reclaimedBytes,
    CounterDataPoint integrityFailures) {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Flushes, and remembers how long that took or that it failed. */
  public void flush(DiskFile file, Time time) throws IOException {
    Instant begin = time.now();
    try {
      file.flush();
    } catch (IOException e) {
      flushFailures.inc();
      throw e;
    }
    flushSeconds.observe(Duration.between(begin, time.now()).toNanos() / NANOS_PER_SECOND);
  }
}
