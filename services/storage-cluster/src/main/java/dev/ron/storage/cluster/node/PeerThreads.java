package dev.ron.storage.cluster.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that ask other nodes, outside the tree: a question may outlive the request that asked it,
 * as a copy does that is written after the quorum has answered.
 *
 * <p>Each is counted when it starts. At the end of a drain they are interrupted and waited for;
 * what does not end is counted as aborted.
 *
 * <p>Threading: thread-safe; {@code lock} guards the running ones. Its steps come from the tree.
 */
public final class PeerThreads implements Threads, Task {
  /** Less than a drain; a question that is interrupted ends at once. */
  private static final Duration END_LIMIT = Duration.ofSeconds(1);

  private final Scope scope;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();

  @GuardedBy("lock") private final Map<Thread, String> running = new LinkedHashMap<>();

  private PeerThreads(Scope scope) {
    this.scope = scope;
  }

  public static PeerThreads in(Scope scope) {
    return new PeerThreads(scope);
  }

  /** The same service, whose other threads are these. */
  public Scope scope() {
    World real = scope.world();
    var world =
        new World(real.time(), real.chance(), real.secrets(), real.disk(), this, real.log());
    return new Scope(
        scope.service(),
        world,
        scope.metrics(),
        scope.counters(),
        scope.registry(),
        scope.readiness(),
        scope.draining(),
        scope.requestsOver(),
        scope.log(),
        scope.meter(),
        scope.tenants(),
        scope.tracer());
  }

  @Override
  public Thread start(String name, Runnable body) {
    String kind = name.substring(name.lastIndexOf('/') + 1);
    scope.counters().tasksSpawned().labelValues(kind).inc();
    lock.lock();
    try {
      // Under the lock, so that a thread cannot end before it is known.
      Thread thread = scope.world().threads().start(name, () -> run(body));
      running.put(thread, kind);
      return thread;
    } finally {
      lock.unlock();
    }
  }

  /** Counted and awaited by the request that computes. */
  @Override
  public Thread startComputing(String name, Runnable body) {
    return scope.world().threads().startComputing(name, body);
  }

  private void run(Runnable body) {
    try {
      body.run();
    } finally {
      lock.lock();
      try {
        running.remove(Thread.currentThread());
        ended.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  public Next run(Instant now) {
    return Next.at(Instant.MAX);
  }

  @Override
  public void finish(Instant now) throws InterruptedException {
    Instant until = Deadline.in(END_LIMIT, scope.time()).at();
    lock.lockInterruptibly();
    try {
      running.keySet().forEach(Thread::interrupt);
      boolean waits = true;
      while (!running.isEmpty() && waits) {
        waits = scope.time().await(lock, ended, until);
      }
      running.values().forEach(kind -> scope.counters().tasksAborted().labelValues(kind).inc());
    } finally {
      lock.unlock();
    }
  }
}
