package dev.ron.ordered.rocks;

import java.util.concurrent.locks.StampedLock;

/**
 * Keeps native objects alive while calls into them are under way: a call into a freed one would end
 * the JVM.
 *
 * <p>Each call holds the lock for reading. {@link #end} waits for those inside, lets none in any
 * more, and never gives the lock back, so that a later {@link #enter} throws.
 *
 * <p>Threading: thread-safe. Not reentrant: a call made inside another would wait for itself if the
 * end came between.
 */
final class NativeCalls {
  private final String owner;
  private final StampedLock lock = new StampedLock();

  /**
   * Set before {@link #end} asks for the lock, else a stream of new calls could keep it waiting.
   */
  private volatile boolean ending;

  NativeCalls(String owner) {
    this.owner = owner;
  }

  /**
   * @return to be handed to {@link #leave}
   * @throws IllegalStateException after the end
   */
  long enter() {
    long stamp = tryEnter();
    if (stamp == 0) {
      throw new IllegalStateException(owner + " is closed");
    }
    return stamp;
  }

  /** As {@link #enter}, but 0 after the end. */
  long tryEnter() {
    return ending ? 0 : lock.tryReadLock();
  }

  void leave(long stamp) {
    lock.unlockRead(stamp);
  }

  /** Returns once no call is inside, and none will be again; to be called once. */
  void end() {
    ending = true;
    lock.writeLock();
  }
}
