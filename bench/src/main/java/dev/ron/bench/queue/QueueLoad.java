package dev.ron.bench.queue;

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
import java.util.concurrent.atomic.AtomicLong;

/**
 * So many workers on one queue, each with a connection and one request at a time.
 *
 * <p>Threading: owned by the benchmark's thread.
 */
final class QueueLoad {
  private static final double NANOS_PER_MILLI = 1e6;

  /** A drain that finds this often nothing in a row is done. */
  private static final int EMPTY_MAX = 3;

  private static final AtomicLong LOADS = new AtomicLong();

  private final QueueServer server;
  private final byte[] body;
  private final int workers;

  /** Keys of one load are no other's: a queue that knows a key takes no second message. */
  private final String prefix = "k" + LOADS.getAndIncrement() + "-";

  private final AtomicLong keys = new AtomicLong();

  /** What the workers do. */
  enum Kind {
    SEND("send"),
    HANDLE("receive-ack"),
    MIXED("mixed");

    private final String caseName;

    Kind(String caseName) {
      this.caseName = caseName;
    }

    String caseName() {
      return caseName;
    }
  }

  /** What came of it; a time is that of one operation from request to answer. */
  record Sample(double perSecond, double p50Millis, double p99Millis, double seconds) {
    /** When an operation was many messages. */
    Sample times(int messages) {
      return new Sample(perSecond * messages, p50Millis, p99Millis, seconds);
    }

    /** When it was so many messages all together. */
    Sample of(long messages) {
      return new Sample(messages / seconds, p50Millis, p99Millis, seconds);
    }
  }

  /** One operation; false if there was nothing to do. */
  interface Operation {
    boolean run(QueueLine line) throws IOException;
  }

  QueueLoad(QueueServer server, byte[] body, int workers) {
    this.server = server;
    this.body = body;
    this.workers = workers;
  }

  Sample run(Kind kind, Duration time) throws IOException, InterruptedException {
    return switch (kind) {
      case SEND -> {
        Sample sample = each(time, this::send);
        drain();
        yield sample;
      }
      case HANDLE -> {
        // As many as half the time brings, so that there is something to take for most of it.
        each(time.dividedBy(2), this::send);
        yield each(time, QueueLine::handleOne);
      }
      case MIXED -> mixed(time);
    };
  }

  Sample mixed(Duration time) throws IOException, InterruptedException {
    Sample sample = each(time, line -> send(line) && line.handleOne());
    drain();
    return sample;
  }

  private boolean send(QueueLine line) throws IOException {
    line.send(body, prefix + keys.getAndIncrement());
    return true;
  }

  /** Takes whatever is there, so that no side works on a larger queue than the other. */
  void drain() throws IOException, InterruptedException {
    each(Duration.ofSeconds(60), QueueLine::handleOne);
  }

  /** Until the time is over or there is nothing left to do. */
  Sample each(Duration time, Operation operation) throws IOException, InterruptedException {
    var lines = new ArrayList<QueueLine>();
    try {
      for (int i = 0; i < workers; i++) {
        lines.add(server.line());
      }
      return measured(lines, time, operation);
    } finally {
      for (QueueLine line : lines) {
        line.close();
      }
    }
  }

  private static Sample measured(List<QueueLine> lines, Duration time, Operation operation)
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

  private static long[] work(QueueLine line, long until, Operation operation) throws IOException {
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
