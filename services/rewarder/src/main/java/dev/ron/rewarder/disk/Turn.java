package dev.ron.rewarder.disk;

/**
 * Lets others at the core in the middle of long work.
 *
 * <p>A worker runs on a virtual thread, and nobody takes a core from one that computes. Without
 * this a large epoch would keep every request waiting until it is done.
 *
 * <p>Threading: stateless.
 */
public final class Turn {
  private Turn() {}

  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it; it only shortens waits
  public static void pass() {
    Thread.yield();
  }
}
