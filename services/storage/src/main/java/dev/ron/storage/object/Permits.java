package dev.ron.storage.object;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.lock.LockOrder;
import dev.ron.kernel.registry.ChannelRow;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many requests of one kind work on disks and hashes at a time.
 *
 * <p>A pool of places, not of threads: each request has its virtual thread already, and takes a
 * place for one step of its work, such as reading and verifying one group. While it waits for its
 * client it has none, so clients that stall take nothing from those that do not.
 *
 * <p>A new request that finds no place waits in the {@code work} queue, and is refused when that is
 * full. A request that has begun is never refused: it waits for its next place until its deadline.
 *
 * <p>Threading: thread-safe; {@code lock} guards the counts.
 */
public final class Permits {
  /** A step takes milliseconds; a second later the queue is another one. */
  private static final Duration REST = Duration.ofSeconds(1);

  private final String name;
  private final int places;
  private final PermitQueue room;
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition free = lock.newCondition();

  @GuardedBy("lock") private int busy;

  @GuardedBy("lock") private int waiting;

  public Permits(Scope scope, String name, int places, PermitQueue room) {
    this.name = name;
    this.places = places;
    this.room = room;
    this.time = scope.time();
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
        giveBack();
      }
    }
  }

  /** For a request that has just come. */
  public Place enter() throws InterruptedException, Refusal {
    return enter(true);
  }

  /** For a request that had a place before. */
  public Place again() throws InterruptedException, Refusal {
    return enter(false);
  }

  private Place enter(boolean fresh) throws InterruptedException, Refusal {
    LockOrder.assertNoneHeld("Pool.enter of " + name);
    lock.lockInterruptibly();
    try {
      if (busy < places && waiting == 0) {
        busy++;
        return new Place();
      }
      if (fresh && !room.tryEnter()) {
        throw Refusal.of(new KernelFault.Busy(room.name(), room.capacity(), REST));
      }
      waiting++;
      try {
        await(Deadline.current());
      } finally {
        waiting--;
        if (fresh) {
          room.leave();
        }
      }
      busy++;
      return new Place();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock") private void await(Deadline deadline) throws InterruptedException, Refusal {
    try {
      while (busy >= places) {
        if (!time.await(lock, free, deadline.at()) && busy >= places) {
          throw Refusal.of(new KernelFault.Timeout("waiting for pool " + name, Duration.ZERO));
        }
      }
    } catch (InterruptedException cancelled) {
      free.signal(); // the signal that woke this thread, if one did, is another's
      throw cancelled;
    }
  }

  private void giveBack() {
    lock.lock();
    try {
      busy--;
      free.signal();
    } finally {
      lock.unlock();
    }
  }

  private int busy() {
    lock.lock();
    try {
      return busy;
    } finally {
      lock.unlock();
    }
  }
}
