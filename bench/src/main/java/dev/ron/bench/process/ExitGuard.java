package dev.ron.bench.process;

import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * What must be undone even if the JVM is told to stop half-way: running children, files by the
 * hundred megabytes. The newest is undone first, so a child ends before its folder is deleted.
 *
 * <p>Threading: thread-safe; the queue does its own synchronising.
 */
final class ExitGuard {
  private static final ConcurrentLinkedDeque<ExitGuard> OPEN = new ConcurrentLinkedDeque<>();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("bench-exit")
                .unstarted(() -> OPEN.forEach(ExitGuard::undoQuietly)));
  }

  private final AutoCloseable undo;

  private ExitGuard(AutoCloseable undo) {
    this.undo = undo;
  }

  /** Undone at exit unless released before. */
  static ExitGuard of(AutoCloseable undo) {
    var guard = new ExitGuard(undo);
    OPEN.addFirst(guard);
    return guard;
  }

  void release() {
    OPEN.remove(this);
  }

  /** One that fails must not keep the others from being undone. */
  private void undoQuietly() {
    try {
      undo.close();
    } catch (Exception e) {
      System.err.println("ron bench: left behind at exit: " + e);
    }
  }
}
