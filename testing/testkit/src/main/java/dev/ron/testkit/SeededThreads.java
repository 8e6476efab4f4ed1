package dev.ron.testkit;

import dev.ron.kernel.World;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.Time;
import dev.ron.kernel.time.VirtualTime;
import java.lang.reflect.Constructor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Real virtual threads, one at a time, in an order drawn from a seed.
 *
 * <p>A virtual thread that parks hands its continuation to its scheduler; this scheduler keeps the
 * continuations of all threads and picks the next one by the seed, on the test's own thread.
 * Nothing runs in parallel, so one seed is one schedule, and a schedule that fails can be played
 * again.
 *
 * <p>Parking is the only place where threads would change. To find races between two steps that do
 * not park, every look at the clock may also yield; the kernel looks at the clock around everything
 * it does. Time is virtual and moves only when no thread can run.
 *
 * <p>Reaches into {@code java.lang} for the scheduler of a virtual thread, which has no public
 * door; hence the {@code --add-opens} that only tests get. Locks must be {@code ReentrantLock}s and
 * waits go through {@link Time}: a timed wait of the JDK would count real time.
 *
 * <p>Threading: owned by the test; the threads it runs take turns on the test's thread.
 */
public final class SeededThreads {
  /** A schedule that is longer than this does not end. */
  private static final int TURNS_MAX = 1_000_000;

  /** A second in all; a thread that is blocked longer waits for another of our threads. */
  private static final int BLOCKED_LOOKS_MAX = 20_000;

  private final RandomGenerator random;
  private final VirtualTime clock = new VirtualTime();
  private final List<Runnable> runnable = Collections.synchronizedList(new ArrayList<>());
  private final List<Thread> started = new ArrayList<>();
  private final Thread.Builder.OfVirtual builder = builder(runnable::add);
  private long trace = 1;
  private @Nullable Throwable failure;

  public SeededThreads(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** A world whose threads and time are under the seed. */
  public World world(Disk disk) {
    return World.seeded(new YieldingTime(), random, disk, threads(), Log.silent());
  }

  public Threads threads() {
    return (name, body) -> {
      Thread thread =
          builder
              .name(name)
              .uncaughtExceptionHandler((_, thrown) -> failure = failure == null ? thrown : failure)
              .start(body);
      started.add(thread);
      return thread;
    };
  }

  public VirtualTime clock() {
    return clock;
  }

  /** Runs the body as the first thread, and everything it starts, until all have ended. */
  public void run(Body body) {
    threads().start("test", () -> body.runUnchecked());
    for (int turn = 0; turn < TURNS_MAX; turn++) {
      if (runnable.isEmpty() && !letTimePass()) {
        finish();
        return;
      }
      int pick = random.nextInt(runnable.size());
      trace = trace * 31 + pick;
      Runnable next = runnable.remove(pick);
      next.run();
      awaitUnblocked();
    }
    throw new AssertionError("the threads do not end: " + alive());
  }

  /** A number for the schedule that was played: equal for equal schedules. */
  public long trace() {
    return trace;
  }

  /**
   * A thread that met a monitor, as the JDK has in class loading, comes back through a thread of
   * the JVM and not through us. Waiting for it keeps the schedule the seed's own.
   */
  private void awaitUnblocked() {
    for (int look = 0; look < BLOCKED_LOOKS_MAX; look++) {
      if (started.stream().noneMatch(thread -> thread.getState() == Thread.State.BLOCKED)) {
        return;
      }
      LockSupport.parkNanos(10_000);
    }
  }

  private boolean letTimePass() {
    Optional<Instant> wake = clock.nextWake();
    if (wake.isEmpty()) {
      return false;
    }
    // On a thread of its own, because waking takes the waiter's lock and may have to wait for it.
    builder.name("clock").start(() -> clock.advanceTo(wake.get()));
    return true;
  }

  private void finish() {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure != null) {
      throw new AssertionError(failure);
    }
    if (!alive().isEmpty()) {
      throw new AssertionError("deadlock: nothing can run and these have not ended: " + alive());
    }
  }

  /** The threads that have not ended, and where they are in our code. */
  private List<String> alive() {
    return started.stream().filter(Thread::isAlive).map(SeededThreads::place).toList();
  }

  private static String place(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith("dev.ron."))
        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
        .collect(Collectors.joining(" < ", thread.getName() + " at ", ""));
  }

  private static Thread.Builder.OfVirtual builder(Executor scheduler) {
    try {
      Class<?> type = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder");
      Constructor<?> constructor = type.getDeclaredConstructor(Executor.class);
      constructor.setAccessible(true);
      return (Thread.Builder.OfVirtual) constructor.newInstance(scheduler);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this JDK has no virtual thread builder with a scheduler", e);
    }
  }

  /** What a test does on its first thread. */
  @FunctionalInterface
  public interface Body {
    void run() throws Exception;

    private void runUnchecked() {
      try {
        run();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Virtual time that lets another thread go first now and then. */
  private final class YieldingTime implements Time {
    @Override
    @SuppressWarnings("ThreadPriorityCheck") // yielding to the seeded scheduler is the point
    public Instant now() {
      if (Thread.currentThread().isVirtual() && random.nextBoolean()) {
        Thread.yield();
      }
      return clock.now();
    }

    @Override
    public Instant wall() {
      return clock.wall();
    }

    @Override
    public boolean await(Lock lock, Condition condition, Instant until)
        throws InterruptedException {
      return clock.await(lock, condition, until);
    }

    @Override
    public void sleepUntil(Instant until) throws InterruptedException {
      clock.sleepUntil(until);
    }
  }
}
