package dev.ron.bench.load;

import dev.ron.bench.run.Spread;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Connections that are each used by a worker of their own, with one operation at a time.
 *
 * <p>Threading: stateless.
 */
public final class ClosedLoop {
  private static final double NANOS_PER_MILLI = 1e6;

  /** A worker that finds this often nothing in a row is done. */
  private static final int EMPTY_MAX = 3;

  private ClosedLoop() {}

  /** What came of it; a time is that of one operation from request to answer. */
  public record Sample(double perSecond, double p50Millis, double p99Millis, double seconds) {
    /** When an operation was many messages. */
    public Sample times(int messages) {
      return new Sample(perSecond * messages, p50Millis, p99Millis, seconds);
    }

    /** When it was so many messages all together. */
    public Sample of(long messages) {
      return new Sample(messages / seconds, p50Millis, p99Millis, seconds);
    }

    public double operations() {
      return perSecond * seconds;
    }
  }

  /** One operation; false if there was nothing to do. */
  public interface Operation<L> {
    boolean run(L line) throws IOException;
  }

  /** Until the time is over or there is nothing left to do. */
  public static <L> Sample run(List<L> lines, Duration time, Operation<? super L> operation)
      throws IOException, InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      long begun = System.nanoTime();
      List<Future<long[]>> working =
          lines.stream()
              .map(line -> threads.submit(() -> work(line, begun + time.toNanos(), operation)))
              .toList();
      var all = new ArrayList<long[]>();
      for (Future<long[]> one : working) {
        all.add(one.get());
      }
      double seconds = (System.nanoTime() - begun) / 1e9;
      long[] nanos = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
      return nanos.length == 0
          ? new Sample(Double.NaN, Double.NaN, Double.NaN, seconds)
          : new Sample(
              nanos.length / seconds,
              Spread.percentile(nanos, 0.50) / NANOS_PER_MILLI,
              Spread.percentile(nanos, 0.99) / NANOS_PER_MILLI,
              seconds);
    } catch (ExecutionException failed) {
      throw new IOException("a worker failed: " + failed.getCause(), failed);
    }
  }

  private static <L> long[] work(L line, long until, Operation<? super L> operation)
      throws IOException {
    long[] nanos = new long[1024];
    int count = 0;
    int empty = 0;
    for (long before = System.nanoTime(); before - until < 0 && empty < EMPTY_MAX; ) {
      boolean done = operation.run(line);
      long after = System.nanoTime();
      if (done) {
        nanos = count == nanos.length ? Arrays.copyOf(nanos, 2 * count) : nanos;
        nanos[count++] = after - before;
      }
      empty = done ? 0 : empty + 1;
      before = after;
    }
    return Arrays.copyOf(nanos, count);
  }
}
