package dev.ron.kernel.disk;

import dev.ron.kernel.time.Time;
import dev.ron.kernel.time.Waiter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A disk that knows which of its operations have not come back in time.
 *
 * <p>An operation that a broken disk does not answer cannot be cancelled: its thread stays in the
 * system until the disk says something. So nothing is refused or interrupted here. {@link #sweep}
 * tells the one that waits for such a thread, and {@link #stall} lets the owner of the disk ask it
 * for nothing new.
 *
 * <p>Threading: thread-safe. A slot is claimed by a compare-and-set and cleared by the thread that
 * claimed it; {@code told} of an operation belongs to the one task that sweeps.
 */
public final class TimedDisk implements Disk {
  /** More operations than the pools of a service let through at a time; a power of two. */
  private static final int SLOTS = 512;

  /** An operation that finds these slots taken goes untimed: its neighbours tell of the stall. */
  private static final int PROBES = 8;

  private final Disk disk;
  private final Time time;
  private final Duration limit;
  private final AtomicReferenceArray<@Nullable Operation> slots = new AtomicReferenceArray<>(SLOTS);
  private volatile Stall stall = Stall.NONE;

  /** What was overdue at the last sweep. */
  private record Stall(int operations, String why) {
    static final Stall NONE = new Stall(0, "");
  }

  private static final class Operation {
    private final String name;
    private final Path path;
    private final Instant begun;
    private final Waiter waiter;
    private boolean told;

    Operation(String name, Path path, Instant begun, Waiter waiter) {
      this.name = name;
      this.path = path;
      this.begun = begun;
      this.waiter = waiter;
    }
  }

  @FunctionalInterface
  private interface Call<T, E extends Exception> {
    T run() throws E;
  }

  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  /**
   * @param limit an operation that takes longer is overdue
   */
  public TimedDisk(Disk disk, Time time, Duration limit) {
    this.disk = disk;
    this.time = time;
    this.limit = limit;
  }

  /**
   * Looks for operations past the limit and tells the waiter of each, once.
   *
   * @return how many were found that the sweep before did not find
   */
  public int sweep() {
    Instant now = time.now();
    int overdue = 0;
    int fresh = 0;
    Operation oldest = null;
    for (int i = 0; i < SLOTS; i++) {
      Operation each = slots.get(i);
      if (each == null || Duration.between(each.begun, now).compareTo(limit) < 0) {
        continue;
      }
      overdue++;
      if (oldest == null || each.begun.isBefore(oldest.begun)) {
        oldest = each;
      }
      if (!each.told) {
        each.told = true;
        fresh++;
        each.waiter.giveUp(limit);
      }
    }
    stall = oldest == null ? Stall.NONE : new Stall(overdue, why(oldest, now));
    return fresh;
  }

  private static String why(Operation oldest, Instant now) {
    return "the disk has not answered a %s of %s for %d s"
        .formatted(oldest.name, oldest.path, Duration.between(oldest.begun, now).toSeconds());
  }

  /** Why the disk should be asked for nothing now; empty if all it was asked for comes back. */
  public Optional<String> stall() {
    Stall seen = stall;
    return seen.operations() == 0 ? Optional.empty() : Optional.of(seen.why());
  }

  /** How many operations, and so threads, the disk keeps past the limit. */
  public int overdue() {
    return stall.operations();
  }

  private void step(String name, Path path, Step step) throws IOException {
    timed(
        name,
        path,
        () -> {
          step.run();
          return 0;
        });
  }

  /** Waits for the device, where other operations mostly find what they need in memory. */
  private void flush(Path path, Step flush) throws IOException {
    Waiter.current().pauses();
    step("flush", path, flush);
  }

  private <T, E extends Exception> T timed(String name, Path path, Call<T, E> call) throws E {
    var operation = new Operation(name, path, time.now(), Waiter.current());
    int slot = claim(operation);
    try {
      return call.run();
    } finally {
      if (slot >= 0) {
        slots.set(slot, null);
      }
    }
  }

  private int claim(Operation operation) {
    int first = (int) Thread.currentThread().threadId();
    for (int i = 0; i < PROBES; i++) {
      int slot = (first + i) & (SLOTS - 1);
      if (slots.get(slot) == null && slots.compareAndSet(slot, null, operation)) {
        return slot;
      }
    }
    return -1;
  }

  @Override
  public DiskFile open(Path file) throws IOException {
    return new TimedFile(file, timed("open", file, () -> disk.open(file)));
  }

  @Override
  public DiskFile openReadOnly(Path file) throws IOException {
    return new TimedFile(file, timed("open", file, () -> disk.openReadOnly(file)));
  }

  @Override
  public boolean exists(Path path) {
    return timed("look", path, () -> disk.exists(path));
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    return timed("list", folder, () -> disk.list(folder));
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    step("create", folder, () -> disk.createFolders(folder));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    step("rename", from, () -> disk.rename(from, to));
  }

  @Override
  public void delete(Path file) throws IOException {
    step("delete", file, () -> disk.delete(file));
  }

  @Override
  public void flushDirectory(Path folder) throws IOException {
    flush(folder, () -> disk.flushDirectory(folder));
  }

  @Override
  public long freeBytes(Path path) throws IOException {
    return timed("look", path, () -> disk.freeBytes(path));
  }

  /** Threading: as the file inside. */
  private final class TimedFile implements DiskFile {
    private final Path path;
    private final DiskFile file;

    TimedFile(Path path, DiskFile file) {
      this.path = path;
      this.file = file;
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
      return timed("read", path, () -> file.read(into, position));
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      step("write", path, () -> file.write(from, position));
    }

    @Override
    public void flush() throws IOException {
      TimedDisk.this.flush(path, file::flush);
    }

    @Override
    public long size() throws IOException {
      return timed("look", path, file::size);
    }

    @Override
    public void truncate(long size) throws IOException {
      step("truncate", path, () -> file.truncate(size));
    }

    @Override
    public void close() throws IOException {
      step("close", path, file::close);
    }
  }
}
