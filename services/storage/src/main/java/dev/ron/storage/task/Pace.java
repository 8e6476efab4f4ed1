package dev.ron.storage.task;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.core.ByteWindow;
import dev.ron.storage.core.RepairBudget;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;

/**
 * The one budget of bytes that all repair and scrubbing share, and the reads it gives way to.
 *
 * <p>Threading: thread-safe; {@code lock} guards the samples and the budget.
 */
public final class Pace {
  static final int STEP_BYTES = 64 << 10;

  /** Enough for a p99, and a fixed price. */
  private static final int SAMPLES = 1024;

  /** Slower, a step would never fit into a second. */
  private static final long RATE_MIN = STEP_BYTES;

  /** Copies look this often whether the service ends. */
  private static final Duration NAP = Duration.ofMillis(200);

  private final Time time;
  private final Watch<Boolean> shutdown;
  private final StorageMetrics metrics;
  private final ReentrantLock lock = new ReentrantLock();
  private final long[] samples = new long[SAMPLES];
  private int sampled;
  private RepairBudget budget;
  private final ByteWindow window = new ByteWindow();
  private volatile DoubleSupplier others = () -> 1;
  private double othersShare = 1;
  private long moved;

  public Pace(Time time, long bytesPerSecond, Watch<Boolean> shutdown, StorageMetrics metrics) {
    this.time = time;
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
    lock.lock();
    try {
      budget = budget.next(p99());
      sampled = 0;
      othersShare = others.getAsDouble();
    } finally {
      lock.unlock();
    }
  }

  /** The least that other nodes' readers leave of a rate: repair reads from their disks. */
  void others(DoubleSupplier share) {
    others = share;
  }

  /** Bytes that were let through since the start. */
  public long movedBytes() {
    lock.lock();
    try {
      return moved;
    } finally {
      lock.unlock();
    }
  }

  private long rate() {
    long others = (long) (budget.fullBytesPerSecond() * othersShare);
    return Math.max(RATE_MIN, Math.min(budget.bytesPerSecond(), others));
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
    Instant now = time.now();
    lock.lock();
    try {
      long nanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
      long wait = window.waitNanos(nanos, bytes, rate());
      moved += wait == 0 ? bytes : 0;
      return Duration.ofNanos(wait);
    } finally {
      lock.unlock();
    }
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
      for (Duration wait = waitFor(bytes); !wait.isZero(); wait = waitFor(bytes)) {
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
    return paced(from, 1);
  }

  /**
   * @param bytesEach how many bytes are moved for each byte of the stream
   */
  InputStream paced(InputStream from, int bytesEach) {
    return new Paced(from, bytesEach);
  }

  private final class Paced extends InputStream {
    private final InputStream from;
    private final int bytesEach;
    private int granted;

    Paced(InputStream from, int bytesEach) {
      this.from = from;
      this.bytesEach = bytesEach;
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (granted == 0) {
        for (int i = 0; i < bytesEach; i++) {
          take(STEP_BYTES);
        }
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
