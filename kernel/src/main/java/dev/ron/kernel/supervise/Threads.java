package dev.ron.kernel.supervise;

/**
 * Where threads come from; the only place in production code that makes one.
 *
 * <p>Tests hand in a scheduler that decides from a seed which thread goes next.
 */
@FunctionalInterface
public interface Threads {
  /** Starts a thread with the name of its place in the tree. */
  Thread start(String name, Runnable body);

  /**
   * Starts a thread for a task that keeps a core busy. A scheduler that decides by itself which
   * thread goes next treats it like any other.
   */
  default Thread startComputing(String name, Runnable body) {
    return start(name, body);
  }

  /** Virtual threads, and platform threads for tasks that compute. */
  static Threads virtual() {
    return new Threads() {
      @Override
      public Thread start(String name, Runnable body) {
        return Thread.ofVirtual().name(name).start(body);
      }

      @Override
      public Thread startComputing(String name, Runnable body) {
        return platform().start(name, body);
      }
    };
  }

  /**
   * For work that keeps a core busy and would starve the virtual threads' carriers. Like those,
   * they do not keep a process alive that has ended otherwise.
   */
  static Threads platform() {
    return (name, body) -> Thread.ofPlatform().daemon().name(name).start(body);
  }
}
