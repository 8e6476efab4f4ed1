package dev.ron.mailbox.shard;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A bound that all shards share: messages in flight, or bytes held.
 *
 * <p>Threading: thread-safe.
 */
public final class SharedLimit {
  private final String name;
  private final long max;
  private final AtomicLong used = new AtomicLong();

  public SharedLimit(String name, long max) {
    this.name = name;
    this.max = max;
  }

  /** As many of {@code wanted} as there is room for. */
  long reserve(long wanted) {
    long before = used.getAndUpdate(now -> now + Math.clamp(max - now, 0, wanted));
    return Math.clamp(max - before, 0, wanted);
  }

  void release(long count) {
    used.addAndGet(-count);
  }

  /** Takes up what is there already, past the bound if need be: after a recovery. */
  void occupy(long count) {
    used.addAndGet(count);
  }

  String name() {
    return name;
  }

  long max() {
    return max;
  }

  public long used() {
    return used.get();
  }
}
