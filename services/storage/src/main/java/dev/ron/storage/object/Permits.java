package dev.ron.storage.object;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.lock.LockOrder;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.registry.ChannelRow;
import dev.ron.kernel.tenant.FairQueue;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import dev.ron.kernel.trace.Span;
import java.time.Duration;
import java.util.function.IntSupplier;

/**
 * How many requests of one kind work on disks and hashes at a time.
 *
 * <p>A pool of places, not of threads: each request has its virtual thread already, and takes a
 * place for one step of its work, such as reading and verifying one group. While it waits for its
 * client it has none, so clients that stall take nothing from those that do not.
 *
 * <p>A new request that finds no place waits in the {@code work} queue, in which tenants take turns
 * by their weights, and is refused when that is full. A request that has begun is never refused: it
 * waits for its next place until its deadline.
 *
 * <p>Threading: thread-safe; the lock of the queue guards the counts and the lines. A place that
 * comes free is handed to the one whose turn it is, so none that comes later can take it.
 */
public final class Permits {
  /** A step takes milliseconds; a second later the queue is another one. */
  private static final Duration REST = Duration.ofSeconds(1);

  /** What a place is paid for by: as much as is read and verified in one step. */
  private static final long STEP_BYTES = 64 << 10;

  /** A disk that is found to hang makes room without a signal. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final String name;
  private final int places;
  private final IntSupplier stuck;
  private final PermitQueue room;
  private final Time time;

  @GuardedBy("room.lock") private final FairQueue<PermitQueue.Waiter> lines;

  @GuardedBy("room.lock") private int busy;

  public Permits(Scope scope, String name, int places, PermitQueue room) {
    this(scope, name, places, () -> 0, room);
  }

  /**
   * @param stuck how many threads a disk keeps longer than it may: they hold a place each and work
   *     on nothing, so there are as many places more while they do
   */
  public Permits(Scope scope, String name, int places, IntSupplier stuck, PermitQueue room) {
    this.name = name;
    this.places = places;
    this.stuck = stuck;
    this.room = room;
    this.time = scope.time();
    this.lines = room.lines();
    scope
        .registry()
        .channel(() -> new ChannelRow(name, "pool", places, "await", busy(), 0, 0), () -> 0);
  }

  /** A place; given back by closing it. */
  public final class Place implements AutoCloseable {
    private boolean mine = true;

    private Place() {}

    @Override
    public void close() {
      if (mine) {
        mine = false;
        room.lock.lock();
        try {
          giveBack();
        } finally {
          room.lock.unlock();
        }
      }
    }
  }

  /** For a request that has just come. */
  public Place enter() throws InterruptedException, Refusal {
    return enter(0);
  }

  /**
   * For a request that has just come and moves so many bytes in one step: a tenant's large writes
   * are paid for by its share like many small ones.
   */
  public Place enter(long bytes) throws InterruptedException, Refusal {
    Span wait = Span.current().child("storage queue", Span.Kind.INTERNAL);
    try {
      return enter(Payer.currentTenant(), bytes, true);
    } finally {
      wait.end();
    }
  }

  /** For a request that had a place before. */
  public Place again() throws InterruptedException, Refusal {
    return enter(Payer.currentTenant(), 0, false);
  }

  /** For inner work, which is a tenant among the others. */
  public Place inner(String tenant) throws InterruptedException, Refusal {
    return enter(tenant, 0, false);
  }

  private Place enter(String tenant, long bytes, boolean fresh)
      throws InterruptedException, Refusal {
    LockOrder.assertNoneHeld("Pool.enter of " + name);
    room.lock.lockInterruptibly();
    try {
      if (hasRoom() && lines.size() == 0) {
        busy++;
        return new Place();
      }
      var waiter = new PermitQueue.Waiter(tenant, room.lock.newCondition());
      if (fresh && !room.enter(waiter)) {
        throw Refusal.of(full());
      }
      lines.add(tenant, 1 + bytes / STEP_BYTES, waiter);
      grantWaiting(); // a disk that hangs may have made room since
      try {
        await(waiter, Deadline.current());
      } finally {
        lines.remove(tenant, waiter);
        if (fresh) {
          room.left(waiter);
        }
      }
      if (waiter.state == PermitQueue.State.GAVE_WAY) {
        throw Refusal.of(full());
      }
      return new Place();
    } finally {
      room.lock.unlock();
    }
  }

  private KernelFault full() {
    return new KernelFault.Busy(room.name(), room.capacity(), REST);
  }

  @GuardedBy("room.lock") private void await(PermitQueue.Waiter waiter, Deadline deadline)
      throws InterruptedException, Refusal {
    try {
      while (waiter.state == PermitQueue.State.WAITING) {
        Deadline look = deadline.earlier(Deadline.in(LOOK, time));
        boolean told = time.awaitAlone(room.lock, waiter.moved, look.at());
        grantWaiting();
        if (!told && deadline.passed(time.now()) && waiter.state == PermitQueue.State.WAITING) {
          throw Refusal.of(new KernelFault.Timeout("waiting for pool " + name, Duration.ZERO));
        }
      }
    } catch (InterruptedException cancelled) {
      if (waiter.state == PermitQueue.State.GRANTED) {
        giveBack(); // the place that was handed to this thread is another's
      }
      throw cancelled;
    }
  }

  @GuardedBy("room.lock") private boolean hasRoom() {
    return busy < places + stuck.getAsInt();
  }

  @GuardedBy("room.lock") private void giveBack() {
    busy--;
    grantWaiting();
  }

  /** Hands the places that are free to those whose turn it is. */
  @GuardedBy("room.lock") private void grantWaiting() {
    while (hasRoom()) {
      PermitQueue.Waiter next = lines.poll(waiter -> waiter.state == PermitQueue.State.WAITING);
      if (next == null) {
        return;
      }
      busy++;
      next.state = PermitQueue.State.GRANTED;
      next.moved.signal();
    }
  }

  private int busy() {
    room.lock.lock();
    try {
      return busy;
    } finally {
      room.lock.unlock();
    }
  }
}
