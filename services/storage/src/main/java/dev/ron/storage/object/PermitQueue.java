package dev.ron.storage.object;

import dev.ron.kernel.Scope;
import dev.ron.kernel.registry.ChannelRow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The {@code work} queue: how many requests may wait for a pool, all pools together.
 *
 * <p>Threading: thread-safe; {@code waiting} is only raised by compare-and-set below the capacity.
 */
public final class PermitQueue {
  private final String name;
  private final int capacity;
  private final AtomicInteger waiting = new AtomicInteger();
  private final LongAdder rejected = new LongAdder();

  public PermitQueue(Scope scope, String name, int capacity) {
    this.name = name;
    this.capacity = capacity;
    scope
        .registry()
        .channel(
            () ->
                new ChannelRow(
                    name, "waiting room", capacity, "reject new", waiting.get(), 0, rejected.sum()),
            () -> 0);
  }

  boolean tryEnter() {
    while (true) {
      int now = waiting.get();
      if (now >= capacity) {
        rejected.increment();
        return false;
      }
      if (waiting.compareAndSet(now, now + 1)) {
        return true;
      }
    }
  }

  void leave() {
    waiting.decrementAndGet();
  }

  String name() {
    return name;
  }

  int capacity() {
    return capacity;
  }
}
