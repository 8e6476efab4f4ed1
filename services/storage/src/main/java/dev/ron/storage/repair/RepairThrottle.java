package dev.ron.storage.repair;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.stream.BlockStream;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.core.ByteWindow;
import dev.ron.storage.core.ReadTimes;
import dev.ron.storage.core.RepairBudget;
import dev.ron.storage.object.Permits;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one budget of bytes that all repair and scrubbing share, and the reads it gives way to.
 *
 * <p>Threading: thread-safe; {@code lock} guards what readers felt, the budget and the window.
 */
public final class RepairThrottle {
  public static final int STEP_BYTES = 64 << 10;

  /** Moving less costs as much. */
  private static final int STEP_BYTES_LEAST = 4 << 10;

  /** Slower, a step would never fit into a second. */
  private static final long RATE_MIN = STEP_BYTES;

  /** Copies look this often whether the service ends. */
  private static final Duration NAP = Duration.ofMillis(200);

  /** Longer than a read takes that is not disturbed, and too short to slow repair much. */
  private static final Duration COURTESY = Duration.ofMillis(5);

  private final Time time;
  private final Watch<Boolean> shutdown;
  private final StorageMetrics metrics;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final ReadTimes readTimes = new ReadTimes();

  @GuardedBy("lock") private ReadTimes.Felt felt = ReadTimes.Felt.IDLE;

  @GuardedBy("lock") private RepairBudget budget;

  @GuardedBy("lock") private final ByteWindow window = new ByteWindow();

  private volatile DoubleSupplier others = () -> 1;
  private volatile @Nullable Permits reads;
  private volatile Supplier<TenantTable> tenants = () -> TenantTable.NONE;

  /** What each kind of inner work moved, where the table of tenants bounds it. */
  @GuardedBy("lock") private final Map<String, ByteWindow> own = new HashMap<>();

  private final Condition quiet = lock.newCondition();

  @GuardedBy("lock") private int reading;

  @GuardedBy("lock") private long moved;

  @GuardedBy("lock") private long served;

  @GuardedBy("lock") private long movedAndServedBefore;

  public RepairThrottle(
      Time time, long bytesPerSecond, Watch<Boolean> shutdown, StorageMetrics metrics) {
    this.time = time;
    this.shutdown = shutdown;
    this.metrics = metrics;
    this.budget = RepairBudget.full(bytesPerSecond);
  }

  /** A foreground read is under way until this is closed. */
  public Reader reader() {
    lock.lock();
    try {
      reading++;
    } finally {
      lock.unlock();
    }
    return new Reader();
  }

  /** A read that is being answered. */
  public final class Reader implements AutoCloseable {
    private Reader() {}

    @Override
    public void close() {
      lock.lock();
      try {
        reading--;
        if (reading == 0) {
          quiet.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** Lets the reads of this moment go first, but only those: more always come. */
  public void afterReaders() throws InterruptedException {
    Instant until = time.now().plus(COURTESY);
    lock.lockInterruptibly();
    try {
      boolean waits = true;
      while (reading > 0 && waits) {
        waits = time.await(lock, quiet, until);
      }
    } finally {
      lock.unlock();
    }
  }

  /** A foreground read took so long until its first byte. */
  public void foreground(Duration took) {
    lock.lock();
    try {
      readTimes.add(took.toNanos());
      if (felt == ReadTimes.Felt.IDLE) {
        // The first of many, perhaps; the step that would tell is too far off.
        felt = ReadTimes.Felt.UNKNOWN;
        budget = budget.least();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Another node's repair has been given so many bytes, which readers here may feel. */
  public void served(long bytes) {
    lock.lock();
    try {
      served += bytes;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a step of time: follows what foreground reads felt since the last call. */
  void adjust() {
    lock.lock();
    try {
      boolean moving = moved + served > movedAndServedBefore;
      movedAndServedBefore = moved + served;
      felt = readTimes.step(moving);
      budget = budget.next(felt, moving);
    } finally {
      lock.unlock();
    }
  }

  /** The least that other nodes' readers leave of a rate: repair reads from their disks. */
  public void others(DoubleSupplier share) {
    others = share;
  }

  /** Takes its turns among the reads of tenants, besides its budget. */
  public void among(Permits pool, Supplier<TenantTable> table) {
    reads = pool;
    tenants = table;
  }

  /** One step of a copy, in its turn; as many at once as there are workers and places. */
  private int inTurn(String tenant, InputStream from, byte[] into, int offset, int length)
      throws IOException {
    Permits pool = reads;
    if (pool == null) {
      return from.read(into, offset, length);
    }
    try (Permits.Place _ = pool.inner(tenant)) {
      return from.read(into, offset, length);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("cancelled while waiting for repair's turn", e);
    }
  }

  /** Neither here nor, as far as repair was told, where it reads. */
  public boolean readersIdle() {
    lock.lock();
    try {
      return felt == ReadTimes.Felt.IDLE && others.getAsDouble() >= 1;
    } finally {
      lock.unlock();
    }
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

  @GuardedBy("lock") private long rate() {
    long elsewhere = (long) (budget.fullBytesPerSecond() * others.getAsDouble());
    return Math.max(RATE_MIN, Math.min(budget.bytesPerSecond(), elsewhere));
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
    lock.lock();
    try {
      // Read under the lock: a grant that is dated back would be forgotten too soon.
      Instant now = time.now();
      long nanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
      long wait = window.waitNanos(nanos, bytes, rate());
      moved += wait == 0 ? bytes : 0;
      return Duration.ofNanos(wait);
    } finally {
      lock.unlock();
    }
  }

  /** The same of what the table of tenants allows one kind of work, if it does. */
  private Duration waitFor(String tenant, int bytes) {
    OptionalLong allowed = tenants.get().of(tenant).limit(TenantLimit.BYTES_OUT_PER_SECOND);
    if (allowed.isEmpty() || !isListed(tenant)) {
      return Duration.ZERO;
    }
    lock.lock();
    try {
      Instant now = time.now();
      long nanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
      long rate = Math.max(RATE_MIN, allowed.getAsLong());
      ByteWindow lately = own.computeIfAbsent(tenant, _ -> new ByteWindow());
      return Duration.ofNanos(lately.waitNanos(nanos, bytes, rate));
    } finally {
      lock.unlock();
    }
  }

  /** What holds for tenants that are not listed is not meant for inner work. */
  private boolean isListed(String tenant) {
    return tenants.get().of(tenant).name().equals(tenant);
  }

  boolean ending() {
    return shutdown.value();
  }

  /** Sleeps for that long, but wakes often enough to notice the end of the service. */
  void nap(Duration wait) throws InterruptedException {
    time.sleepUntil(time.now().plus(wait.compareTo(NAP) < 0 ? wait : NAP));
  }

  /** Waits for the right to move so many bytes; an exception if the service ends first. */
  void take(long bytes) throws IOException {
    take(TenantTable.REPAIR, bytes);
  }

  private void take(String tenant, long bytes) throws IOException {
    Instant begun = time.now();
    for (long left = Math.max(bytes, STEP_BYTES_LEAST); left > 0; left -= STEP_BYTES) {
      int step = (int) Math.min(left, STEP_BYTES);
      takeStep(tenant, step);
    }
    metrics.repairWait().observe(Duration.between(begun, time.now()).toNanos() / 1e9);
  }

  private void takeStep(String tenant, int bytes) throws IOException {
    try {
      await(() -> waitFor(tenant, bytes));
      await(() -> waitFor(bytes));
      afterReaders();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("cancelled while waiting for repair's share", e);
    }
    if (ending()) {
      throw new IOException("the service is ending");
    }
  }

  private void await(Supplier<Duration> grant) throws IOException, InterruptedException {
    for (Duration wait = grant.get(); !wait.isZero(); wait = grant.get()) {
      if (ending()) {
        throw new IOException("the service is ending");
      }
      nap(wait);
    }
  }

  /** The same stream of so many bytes, no faster than the budget. */
  public InputStream paced(InputStream from, long sizeBytes) {
    return paced(TenantTable.REPAIR, from, sizeBytes);
  }

  /**
   * @param tenant which kind of inner work it is
   */
  public InputStream paced(String tenant, InputStream from, long sizeBytes) {
    return paced(tenant, from, sizeBytes, STEP_BYTES, 1);
  }

  /**
   * @param tenant which kind of inner work it is
   * @param pieceBytes what the stream gets at once from where it gets it; it is paid for before
   * @param bytesEach how many bytes are moved for each byte of the stream
   */
  public InputStream paced(
      String tenant, InputStream from, long sizeBytes, int pieceBytes, int bytesEach) {
    return new PacedStream(tenant, from, sizeBytes, pieceBytes, bytesEach);
  }

  private final class PacedStream extends BlockStream {
    private final String tenant;
    private final InputStream from;
    private final int pieceBytes;
    private final int bytesEach;
    private long left;
    private int granted;

    PacedStream(String tenant, InputStream from, long sizeBytes, int pieceBytes, int bytesEach) {
      this.tenant = tenant;
      this.from = from;
      this.left = sizeBytes;
      this.pieceBytes = pieceBytes;
      this.bytesEach = bytesEach;
    }

    @Override
    protected int block(byte[] into, int offset, int length) throws IOException {
      if (granted == 0) {
        if (left <= 0) {
          int more = from.read();
          if (more < 0) {
            return -1;
          }
          // Longer than it was said to be: the same price.
          pay(pieceBytes);
          granted--;
          into[offset] = (byte) more;
          return 1;
        }
        pay((int) Math.min(pieceBytes, left));
      }
      int count = inTurn(tenant, from, into, offset, Math.min(length, granted));
      granted -= Math.max(0, count);
      return count;
    }

    private void pay(int bytes) throws IOException {
      take(tenant, (long) bytes * bytesEach);
      granted = bytes;
      left -= bytes;
    }

    @Override
    public void close() throws IOException {
      from.close();
    }
  }
}
