package dev.ron.kernel.supervise;

import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.trace.Span;

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

  /**
   * Work for the request that this thread works for, to be run on another: it has the request's
   * deadline, is part of its span, and is its tenant's. A new thread has none of the three by
   * itself; what carries some of them and forgets one loses the tenant's turn or the caller's
   * patience, and nothing fails.
   */
  static Runnable sameRequest(Runnable body) {
    Deadline deadline = Deadline.current();
    Span span = Span.current();
    Payer payer = Payer.current();
    return () -> payer.run(() -> span.run(() -> deadline.run(body)));
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
