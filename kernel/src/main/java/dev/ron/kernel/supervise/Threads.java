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

  static Threads virtual() {
    return (name, body) -> Thread.ofVirtual().name(name).start(body);
  }

  /** For work that keeps a core busy and would starve the virtual threads' carriers. */
  static Threads platform() {
    return (name, body) -> Thread.ofPlatform().name(name).start(body);
  }
}
