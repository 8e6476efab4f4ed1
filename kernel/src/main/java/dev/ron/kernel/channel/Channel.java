package dev.ron.kernel.channel;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.SendResult.Closed;
import dev.ron.kernel.channel.SendResult.Full;
import dev.ron.kernel.channel.SendResult.Sent;
import dev.ron.kernel.lock.LockOrder;
import dev.ron.kernel.registry.ChannelRow;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue between tasks: many senders, one or many receivers, each item to one of them.
 *
 * <p>Every item that was answered {@code Sent} is received by exactly one receiver, or was dropped
 * and counted: by the overflow policy, by {@link #abandon()} at the end of a drain, or because the
 * step that received it was aborted.
 *
 * <p>A lock and two conditions, not a lock-free ring: the lock is held for a few instructions,
 * close and overflow are decided in the same step as the enqueue, and the proofs rely on that.
 *
 * <p>Items go in the order in which they came, or tenants take turns: see {@link #fair}.
 *
 * <p>Threading: thread-safe; {@code lock} guards {@code items} and {@code closed}.
 */
public final class Channel<T> implements Inbox {
  private final String name;
  private final int capacity;
  private final Overflow overflow;
  private final Time time;
  private final LongConsumer countDropped;
  private final Consumer<? super T> onDropped;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition notEmpty = lock.newCondition();
  private final Condition notFull = lock.newCondition();

  @GuardedBy("lock") private final ChannelOrder<T> items;

  private final Bells bells = new Bells();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder rejected = new LongAdder();

  @GuardedBy("lock") private boolean closed;

  @GuardedBy("lock") private long passed;

  private volatile int depth;
  private volatile boolean ended;

  /** For tests that model the channel alone; services use {@link #bounded}. */
  Channel(
      String name,
      int capacity,
      Overflow overflow,
      Time time,
      LongConsumer countDropped,
      Consumer<? super T> onDropped) {
    this(
        name,
        capacity,
        overflow,
        time,
        countDropped,
        onDropped,
        new ChannelOrder.Arrival<>(new ArrayDeque<>()));
  }

  private Channel(
      String name,
      int capacity,
      Overflow overflow,
      Time time,
      LongConsumer countDropped,
      Consumer<? super T> onDropped,
      ChannelOrder<T> order) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity of " + name + " = " + capacity);
    }
    this.name = name;
    this.capacity = capacity;
    this.overflow = overflow;
    this.time = time;
    this.countDropped = countDropped;
    this.onDropped = onDropped;
    this.items = order;
  }

  public static <T> Channel<T> bounded(Scope scope, String name, int capacity, Overflow overflow) {
    return bounded(scope, name, capacity, overflow, item -> {});
  }

  /**
   * @param onDropped gets each item that the channel gives up, so that the caller that waits for it
   *     can be answered; called outside the channel's lock, on the thread that caused the drop
   */
  public static <T> Channel<T> bounded(
      Scope scope, String name, int capacity, Overflow overflow, Consumer<? super T> onDropped) {
    var counter = scope.counters().queueDropped().labelValues(ChannelRow.queue(name));
    var channel = new Channel<T>(name, capacity, overflow, scope.time(), counter::inc, onDropped);
    scope.registry().channel(channel::row, channel::abandon);
    return channel;
  }

  /**
   * A channel in which tenants take turns by their weights, so that none waits behind another's
   * line. When it is full, the tenant with the longest line for its weight gives up its newest item
   * to one that has less; a sender that has the longest itself is told {@code Full}.
   *
   * @param tenant whose an item is, asked when it is sent
   * @param cost of an item, in a unit that is the same for all
   */
  public static <T> Channel<T> fair(
      Scope scope,
      String name,
      int capacity,
      Function<? super T, String> tenant,
      ToLongFunction<T> cost,
      Consumer<? super T> onDropped) {
    var counter = scope.counters().queueDropped().labelValues(ChannelRow.queue(name));
    var channel =
        new Channel<T>(
            name,
            capacity,
            Overflow.LONGEST_GIVES_WAY,
            scope.time(),
            counter::inc,
            onDropped,
            new ChannelOrder.Turns<>(scope.tenants(), tenant, cost));
    scope.registry().channel(channel::row, channel::abandon);
    return channel;
  }

  /**
   * A channel of things that are lent and come back, all of them in it now.
   *
   * <p>The registry shows how many are out. Those that are in when it ends were not sent by a
   * producer, so none of them counts as dropped.
   */
  public static <T> Channel<T> pool(Scope scope, String name, List<? extends T> idle) {
    int all = idle.size();
    var pool =
        new Channel<T>(name, all, Overflow.REJECT_NEW, scope.time(), count -> {}, item -> {});
    idle.forEach(pool::trySend);
    scope
        .registry()
        .channel(
            () -> new ChannelRow(name, "pool", all, Overflow.AWAIT.words(), all - pool.depth, 0, 0),
            () -> {
              pool.close();
              return 0;
            });
    return pool;
  }

  /** Never waits. */
  public SendResult trySend(T item) {
    T displaced = null;
    lock.lock();
    try {
      if (closed) {
        return new Closed(name);
      }
      if (items.size() == capacity) {
        displaced = overflow == Overflow.DROP_OLDEST ? items.poll() : items.giveWayTo(item);
        if (displaced == null) {
          rejected.increment();
          return new Full(name, capacity);
        }
      }
      enqueue(item);
    } finally {
      lock.unlock();
    }
    bells.ringOne();
    if (displaced != null) {
      drop(List.of(displaced));
    }
    return Sent.INSTANCE;
  }

  /**
   * Like {@link #trySend}, but under {@link Overflow#AWAIT} waits for room until the deadline; then
   * the answer is {@code Full}.
   */
  public SendResult send(T item, Deadline deadline) throws InterruptedException {
    if (overflow != Overflow.AWAIT) {
      return trySend(item);
    }
    LockOrder.assertNoneHeld("Channel.send to " + name);
    lock.lockInterruptibly();
    try {
      while (!closed && items.size() == capacity) {
        if (!time.await(lock, notFull, deadline.at()) && items.size() == capacity && !closed) {
          rejected.increment();
          return new Full(name, capacity);
        }
      }
      if (closed) {
        return new Closed(name);
      }
      enqueue(item);
    } finally {
      lock.unlock();
    }
    bells.ringOne();
    return Sent.INSTANCE;
  }

  /** Takes the oldest item if there is one; never waits. */
  public @Nullable T tryReceive() {
    if (depth == 0) {
      return null;
    }
    T item;
    lock.lock();
    try {
      item = dequeue();
    } finally {
      lock.unlock();
    }
    if (item != null) {
      StepItems.took(this, 1);
    }
    passOn();
    return item;
  }

  public ReceiveOutcome<T> receive(Deadline deadline) throws InterruptedException {
    LockOrder.assertNoneHeld("Channel.receive from " + name);
    lock.lockInterruptibly();
    try {
      while (true) {
        T item = dequeue();
        if (item != null) {
          StepItems.took(this, 1);
          return new ReceiveOutcome.Item<>(item);
        }
        if (closed) {
          return new ReceiveOutcome.Ended<>();
        }
        if (!time.await(lock, notEmpty, deadline.at()) && items.size() == 0 && !closed) {
          return new ReceiveOutcome.Late<>();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes up to {@code max} items that are there now, oldest first; never waits. */
  public List<T> receiveBatch(int max) {
    if (depth == 0) {
      return List.of();
    }
    var batch = new ArrayList<T>();
    lock.lock();
    try {
      for (T item; batch.size() < max && (item = dequeue()) != null; ) {
        batch.add(item);
      }
    } finally {
      lock.unlock();
    }
    if (!batch.isEmpty()) {
      StepItems.took(this, batch.size());
    }
    passOn();
    return batch;
  }

  /** Takes nothing more. What is in the channel stays for its receivers. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      ended = items.size() == 0;
      notEmpty.signalAll();
      notFull.signalAll();
    } finally {
      lock.unlock();
    }
    bells.ringAll();
  }

  /**
   * Closes, and drops and counts what is left.
   *
   * @return how many items were never received
   */
  public int abandon() {
    List<T> left;
    lock.lock();
    try {
      closed = true;
      left = items.drain();
      depth = 0;
      ended = true;
      notEmpty.signalAll();
      notFull.signalAll();
    } finally {
      lock.unlock();
    }
    bells.ringAll();
    drop(left);
    return left.size();
  }

  /** Closed, and everything that was in it has been received or dropped. */
  @Override
  public boolean ended() {
    return ended;
  }

  @Override
  public boolean ready() {
    return depth > 0;
  }

  @Override
  public void attach(Bell bell) {
    bells.attach(bell);
  }

  @Override
  public void detach(Bell bell) {
    bells.detach(bell);
    // It may have been rung for an item it will not take now; let another worker look.
    bells.ringOne();
  }

  @Override
  public String name() {
    return name;
  }

  public int depth() {
    return depth;
  }

  public int capacity() {
    return capacity;
  }

  @GuardedBy("lock") private void enqueue(T item) {
    items.add(item);
    passed++;
    depth = items.size();
    notEmpty.signal();
  }

  @GuardedBy("lock") private @Nullable T dequeue() {
    T item = items.poll();
    if (item != null) {
      depth = items.size();
      ended = closed && items.size() == 0;
      notFull.signal();
    }
    return item;
  }

  /** More is left: another worker may as well take it. See {@link Bells#ringOne}. */
  @Override
  public void passOn() {
    if (depth > 0) {
      bells.ringOne();
    }
  }

  private void drop(List<T> given) {
    if (given.isEmpty()) {
      return;
    }
    dropped.add(given.size());
    countDropped.accept(given.size());
    given.forEach(onDropped);
  }

  /** An aborted step had taken these; that task answers the callers that wait for them. */
  void lostInHand(int count) {
    dropped.add(count);
    countDropped.accept(count);
  }

  private ChannelRow row() {
    long taken;
    lock.lock();
    try {
      taken = passed;
    } finally {
      lock.unlock();
    }
    return new ChannelRow(
        name, "channel", capacity, overflow.words(), depth, dropped.sum(), rejected.sum(), taken);
  }
}
