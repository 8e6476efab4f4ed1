package dev.ron.storage.object;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.kernel.Scope;
import dev.ron.kernel.registry.ChannelRow;
import dev.ron.kernel.tenant.FairQueue;
import dev.ron.kernel.tenant.TenantTable;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The {@code work} queue: the requests that wait for a place in a pool, all pools together, in
 * which tenants take turns by their weights.
 *
 * <p>When it is full, the tenant with the longest line for its weight gives up its newest request
 * to one that has less, so that a loud tenant cannot keep a quiet one out.
 *
 * <p>Threading: thread-safe; {@code lock} guards the counts and the lines of all pools that share
 * the queue.
 */
public final class PermitQueue {
  private final String name;
  private final int capacity;
  private final Supplier<TenantTable> tenants;
  private final LongAdder rejected = new LongAdder();
  final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final FairQueue<Waiter> room;

  /** A request that waits. */
  static final class Waiter {
    final String tenant;
    final Condition moved;
    State state = State.WAITING;

    Waiter(String tenant, Condition moved) {
      this.tenant = tenant;
      this.moved = moved;
    }
  }

  enum State {
    WAITING,
    GRANTED,
    GAVE_WAY
  }

  public PermitQueue(Scope scope, String name, int capacity) {
    this.name = name;
    this.capacity = capacity;
    this.tenants = scope.tenants();
    this.room = lines();
    scope
        .registry()
        .channel(
            () ->
                new ChannelRow(
                    name,
                    "waiting room",
                    capacity,
                    "longest line gives way",
                    waiting(),
                    0,
                    rejected.sum()),
            () -> 0);
  }

  /** A line for each tenant. */
  FairQueue<Waiter> lines() {
    return new FairQueue<>(tenant -> tenants.get().weight(tenant));
  }

  /** Makes room for a new request; false if it is the one too many. */
  @GuardedBy("lock") boolean enter(Waiter newcomer) {
    if (room.size() >= capacity) {
      rejected.increment();
      Waiter away = room.giveWayTo(newcomer.tenant);
      if (away == null) {
        return false;
      }
      away.state = State.GAVE_WAY;
      away.moved.signal();
    }
    room.add(newcomer.tenant, 1, newcomer);
    return true;
  }

  /** It has its place, or has left by itself. */
  @GuardedBy("lock")
  void left(Waiter waiter) {
    room.remove(waiter.tenant, waiter);
  }

  private int waiting() {
    lock.lock();
    try {
      return room.size();
    } finally {
      lock.unlock();
    }
  }

  String name() {
    return name;
  }

  int capacity() {
    return capacity;
  }
}
