package dev.ron.client.bucket;

import dev.ron.kernel.Scope;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs as they come, a bounded number at a time; the first failure ends the rest.
 *
 * <p>Threading: {@link #run} is called once at a time; jobs run on threads of their own, and what
 * they wrote is seen by the caller after it returns.
 */
public final class ParallelWork {
  private final Scope scope;
  private final String name;
  private final int width;

  /** One job. */
  @FunctionalInterface
  public interface Job {
    void run() throws IOException, InterruptedException;
  }

  /** Where jobs come from; asked by one thread. */
  @FunctionalInterface
  public interface Jobs {
    /** The next one; null after the last. */
    @Nullable Job next() throws IOException, InterruptedException;
  }

  /**
   * @param width how many at a time
   */
  public ParallelWork(Scope scope, String name, int width) {
    if (width < 1 || width > 64) {
      throw new IllegalArgumentException("1 to 64 at a time, not " + width);
    }
    this.scope = scope;
    this.name = name;
    this.width = width;
  }

  public void run(Jobs jobs) throws IOException, InterruptedException {
    var free = new Semaphore(width);
    var failure = new AtomicReference<@Nullable Exception>();
    int number = 0;
    Set<Thread> running = ConcurrentHashMap.newKeySet();
    try {
      for (Job job = jobs.next(); job != null && failure.get() == null; job = jobs.next()) {
        Job next = job;
        free.acquire();
        String thread = scope.service() + "/" + name + "-" + ++number;
        running.add(
            scope.world().threads().start(thread, () -> work(next, free, failure, running)));
      }
      free.acquire(width);
    } finally {
      running.forEach(Thread::interrupt);
    }
    Exception failed = failure.get();
    if (failed != null) {
      throw failed instanceof IOException trouble ? trouble : new IOException(failed);
    }
  }

  private static void work(
      Job job, Semaphore free, AtomicReference<@Nullable Exception> failure, Set<Thread> running) {
    try {
      if (failure.get() == null) {
        job.run();
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure.compareAndSet(null, e);
    } finally {
      running.remove(Thread.currentThread());
      free.release();
    }
  }
}
