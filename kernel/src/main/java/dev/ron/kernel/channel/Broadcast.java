package dev.ron.kernel.channel;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.kernel.Scope;
import dev.ron.kernel.registry.ChannelRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Events to all subscribers; a subscriber that reads too slowly misses the oldest.
 *
 * <p>The writer never waits and never fails. One ring holds the last {@code capacity} events for
 * all subscribers; a subscriber that falls further behind is moved up to the oldest event still
 * there, and what it missed is counted.
 *
 * <p>Threading: thread-safe; {@code lock} guards the ring and every subscriber's position.
 */
public final class Broadcast<T> {
  private final String name;
  private final int capacity;
  private final LongConsumer countLagged;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final ArrayList<T> ring = new ArrayList<>();

  private final LongAdder lagged = new LongAdder();
  private final Bells bells = new Bells();

  @GuardedBy("lock") private long published;

  Broadcast(String name, int capacity, LongConsumer countLagged) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity of a broadcast = " + capacity);
    }
    this.name = name;
    this.capacity = capacity;
    this.countLagged = countLagged;
  }

  public static <T> Broadcast<T> of(Scope scope, String topic, int capacity) {
    var counter = scope.counters().busLagged().labelValues(topic);
    var broadcast =
        new Broadcast<T>(
            topic,
            capacity,
            missed -> {
              counter.inc(missed);
              scope.log().warn("bus-lagged", "topic", topic, "missed", missed);
            });
    scope.registry().channel(broadcast::row, () -> 0);
    return broadcast;
  }

  private ChannelRow row() {
    long passed;
    lock.lock();
    try {
      passed = published;
    } finally {
      lock.unlock();
    }
    return new ChannelRow(name, "broadcast", capacity, "drop oldest", 0, lagged.sum(), 0, passed);
  }

  public void publish(T event) {
    lock.lock();
    try {
      int slot = (int) (published % capacity);
      if (slot == ring.size()) {
        ring.add(event);
      } else {
        ring.set(slot, event);
      }
      published++;
    } finally {
      lock.unlock();
    }
    bells.ringAll();
  }

  /** Hears every event published from now on. */
  public Subscription subscribe() {
    lock.lock();
    try {
      return new Subscription(published);
    } finally {
      lock.unlock();
    }
  }

  /** Events that subscribers missed, all of them together. */
  public long lagged() {
    return lagged.sum();
  }

  /** One reader's place in the stream of events. */
  public final class Subscription implements Inbox {
    @GuardedBy("lock") private long position;

    private Subscription(long position) {
      this.position = position;
    }

    @Override
    public String name() {
      return name;
    }

    /** The next event, or null if there is none yet; never waits. */
    public @Nullable T tryReceive() {
      long missed;
      T event;
      lock.lock();
      try {
        if (position == published) {
          return null;
        }
        long oldest = Math.max(0, published - capacity);
        missed = Math.max(0, oldest - position);
        position += missed;
        event = ring.get((int) (position % capacity));
        position++;
      } finally {
        lock.unlock();
      }
      if (missed > 0) {
        lagged.add(missed);
        countLagged.accept(missed);
      }
      return event;
    }

    /** Everything that can be read now, oldest first. */
    public List<T> drain() {
      var events = new ArrayList<T>();
      for (T event; events.size() < capacity && (event = tryReceive()) != null; ) {
        events.add(event);
      }
      return events;
    }

    @Override
    public boolean ready() {
      lock.lock();
      try {
        return position != published;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public boolean ended() {
      return false;
    }

    @Override
    public void attach(Bell bell) {
      bells.attach(bell);
    }

    @Override
    public void detach(Bell bell) {
      bells.detach(bell);
    }
  }
}
