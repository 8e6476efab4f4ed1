package dev.ron.storage.object;

import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Threads;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A thread of the operating system for one piece of work that keeps a core busy, such as hashing an
 * object that is on the disk already.
 *
 * <p>A virtual thread gives its carrier back where it waits. Work that never waits keeps it, and as
 * many requests as there are cores would stop all others. The request waits for the thread, so
 * there are never more of them than places for requests.
 *
 * <p>Threading: stateless.
 */
public final class ComputeThread {
  private static final String KIND = "hash";

  private ComputeThread() {}

  /** What is computed. */
  public interface Work<T> {
    T run() throws IOException, InterruptedException;
  }

  /**
   * Returns when the work is done, which is of the caller's request and ends with its interrupt.
   */
  public static <T> T call(Scope scope, Work<T> work) throws IOException, InterruptedException {
    var task = new FutureTask<T>(work::run);
    scope.counters().tasksSpawned().labelValues(KIND).inc();
    scope.world().threads().startComputing(scope.service() + "/" + KIND, Threads.sameRequest(task));
    try {
      return task.get();
    } catch (InterruptedException stop) {
      task.cancel(true);
      throw stop;
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      if (cause instanceof IOException expected) {
        throw expected;
      }
      if (cause instanceof InterruptedException stop) {
        throw stop;
      }
      if (cause instanceof RuntimeException bug) {
        throw bug;
      }
      throw new IllegalStateException(cause);
    }
  }
}
