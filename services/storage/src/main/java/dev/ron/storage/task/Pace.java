package dev.ron.storage.task;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.limit.TokenBucket;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.core.RepairBudget;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The one budget of bytes that all repair and scrubbing share, and the reads it gives way to.
 *
 * <p>Threading: thread-safe; {@code lock} guards the samples and the budget.
 */
public final class Pace {
  static final int STEP_BYTES = 64 << 10;

  /** Enough for a p99, and a fixed price. */
  private static final int SAMPLES = 1024;

  private static final int BURST_BYTES_MAX = 4 << 20;

  /** Copies look this often whether the service ends. */
  private static final Duration NAP = Duration.ofMillis(200);

  private final Time time;
  private final TokenBucket bucket;
  private final Watch<Boolean> shutdown;
  private final StorageMetrics metrics;
  private final ReentrantLock lock = new ReentrantLock();
  private final long[] samples = new long[SAMPLES];
  private int sampled;
  private RepairBudget budget;

  public Pace(Time time, long bytesPerSecond, Watch<Boolean> shutdown, StorageMetrics metrics) {
    this.time = time;
    this.bucket =
        new TokenBucket(
            time, bytesPerSecond, Math.clamp(bytesPerSecond / 4, STEP_BYTES, BURST_BYTES_MAX));
    this.shutdown = shutdown;
    this.metrics = metrics;
    this.budget = RepairBudget.full(bytesPerSecond);
  }

  /** A foreground read took so long until its first byte. */
  public void foreground(Duration took) {
    lock.lock();
    try {
      samples[sampled % SAMPLES] = took.toNanos();
      sampled++;
    } finally {
      lock.unlock();
    }
  }

  /** Follows what foreground reads felt since the last call. */
  void adjust() {
    long rate;
    lock.lock();
    try {
      budget = budget.next(p99());
      sampled = 0;
      rate = budget.bytesPerSecond();
    } finally {
      lock.unlock();
    }
    bucket.rate(rate);
  }

  private long p99() {
    int count = Math.min(sampled, SAMPLES);
    if (count == 0) {
      return 0;
    }
    long[] sorted = Arrays.copyOf(samples, count);
    Arrays.sort(sorted);
    return sorted[Math.min(count - 1, count * 99 / 100)];
  }

  public RepairBudget budget() {
    lock.lock();
    try {
      return budget;
    } finally {
      lock.unlock();
    }
  }

  /** How long until so many bytes may move; zero if they may now, and then they are taken. */
  Duration waitFor(int bytes) {
    return bucket.waitFor(bytes);
  }

  boolean ending() {
    return shutdown.value();
  }

  /** Sleeps for that long, or for as long as nobody may end the service unnoticed. */
  void nap(Duration wait) throws InterruptedException {
    time.sleepUntil(time.now().plus(wait.compareTo(NAP) < 0 ? wait : NAP));
  }

  /** Waits for the right to move so many bytes; an exception if the service ends first. */
  private void take(int bytes) throws IOException {
    Instant begun = time.now();
    try {
      for (Duration wait = bucket.waitFor(bytes); !wait.isZero(); wait = bucket.waitFor(bytes)) {
        if (ending()) {
          throw new IOException("the service is ending");
        }
        nap(wait);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("cancelled while waiting for repair's share", e);
    }
    if (ending()) {
      throw new IOException("the service is ending");
    }
    metrics.repairWait().observe(Duration.between(begun, time.now()).toNanos() / 1e9);
  }

  /** The same stream, no faster than the budget. */
  InputStream paced(InputStream from) {
    return new Paced(from);
  }

  private final class Paced extends InputStream {
    private final InputStream from;
    private int granted;

    Paced(InputStream from) {
      this.from = from;
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (granted == 0) {
        take(STEP_BYTES);
        granted = STEP_BYTES;
      }
      int count = from.read(into, offset, Math.min(length, granted));
      granted -= Math.max(0, count);
      return count;
    }

    @Override
    public void close() throws IOException {
      from.close();
    }
  }
}
