package dev.ron.simulator.engine;

import dev.ron.kernel.supervise.Threads;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All threads of all machines on one real thread, one turn at a time, in an order drawn from a
 * seed; and the events that time brings.
 *
 * <p>As {@link dev.ron.testkit.SeededThreads}, which is for one process that ends: here a machine's
 * threads can be stopped for good, and time moves by events that need no thread. A turn goes from
 * one park of a virtual thread to the next; time moves only when no thread can run.
 *
 * <p>Threading: owned by the thread that calls {@link #run}. A wake-up that the JDK brings from a
 * thread of its own goes through {@code outside}.
 */
public final class Scheduler {
  /** A day in the past, so that nothing confuses it with the machine's clock. */
  public static final Instant START = Instant.parse("2020-01-01T00:00:00Z");

  /** More turns than this at one instant never end. */
  private static final int TURNS_MAX = 2_000_000;

  private static final int BLOCKED_LOOKS_MAX = 2_000;
  private static final Constructor<?> BUILDER = builder();

  private final RandomGenerator order;
  private final Thread driver = Thread.currentThread();
  private final List<Turn> ready = new ArrayList<>();
  private final ConcurrentLinkedQueue<Turn> outside = new ConcurrentLinkedQueue<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<Runnable> checks = new ArrayList<>();
  private final List<Turn> resting = new ArrayList<>();
  private Instant now = START;
  private long number;
  private long trace = 1;
  private long turns;
  private @Nullable Violation failure;

  public Scheduler(RandomGenerator order) {
    this.order = order;
  }

  /** A continuation that could run. */
  private record Turn(Cell cell, Runnable body) {}

  /** A thread and the machine it runs on. */
  private final class Cell implements Executor {
    private final Boot boot;
    private @Nullable Thread thread;

    private Cell(Boot boot) {
      this.boot = boot;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a thread is equal to itself alone
    public void execute(Runnable body) {
      if (boot.isOver()) {
        return;
      }
      // A virtual thread that wakes another is on the driver's thread, and so is the driver.
      var turn = new Turn(this, body);
      if (Thread.currentThread() == driver || running) {
        ready.add(turn);
      } else {
        outside.add(turn);
      }
    }
  }

  /** True while a turn runs: then every wake-up comes from it. */
  private boolean running;

  /** Something that happens at a time; the number keeps the order of equal times. */
  public static final class Event implements Comparable<Event> {
    private final Instant at;
    private final long number;
    private final Boot boot;
    private final Runnable action;
    private boolean cancelled;

    private Event(Instant at, long number, Boot boot, Runnable action) {
      this.at = at;
      this.number = number;
      this.boot = boot;
      this.action = action;
    }

    public void cancel() {
      cancelled = true;
    }

    @Override
    public int compareTo(Event other) {
      int byTime = at.compareTo(other.at);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(number);
    }
  }

  public Instant now() {
    return now;
  }

  /** Draws what the schedule leaves open: delays, losses, the order of turns. */
  public RandomGenerator order() {
    return order;
  }

  /** Equal for equal runs. */
  public long trace() {
    return trace;
  }

  public long turns() {
    return turns;
  }

  /** Looked at after every turn and every event. */
  public void check(Runnable invariant) {
    checks.add(invariant);
  }

  /** Ends the run. */
  public void fail(Violation violation) {
    if (failure == null) {
      failure = violation;
    }
  }

  /** Runs on the driver, and must not wait; does not happen if the boot is over by then. */
  public Event after(Duration delay, Boot boot, Runnable action) {
    return at(now.plus(delay), boot, action);
  }

  Event at(Instant at, Boot boot, Runnable action) {
    var event = new Event(at.isBefore(now) ? now : at, number++, boot, action);
    events.add(event);
    return event;
  }

  public Threads threads(Boot boot) {
    return (name, body) -> {
      var cell = new Cell(boot);
      Thread thread =
          newBuilder(cell)
              .name(name)
              .uncaughtExceptionHandler((_, thrown) -> thrown(boot, name, thrown))
              .unstarted(body);
      cell.thread = thread;
      thread.start();
      return thread;
    };
  }

  private void thrown(Boot boot, String name, Throwable thrown) {
    if (!boot.isOver()) {
      fail(
          thrown instanceof Violation known
              ? known
              : new Violation("thread ended in order", new AssertionError(name, thrown)));
    }
  }

  /** A machine's threads rest from now on, or go on. */
  public void pause(Boot boot, boolean on) {
    boot.pause(on);
    if (!on) {
      for (Turn each : resting) {
        if (each.cell().boot == boot) {
          ready.add(each);
        }
      }
      resting.removeIf(each -> each.cell().boot == boot);
    }
  }

  /** Until so much time has passed, or nothing can happen any more. */
  public void run(Duration length) {
    Instant end = now.plus(length);
    int atOnce = 0;
    while (true) {
      for (Turn each = outside.poll(); each != null; each = outside.poll()) {
        ready.add(each);
      }
      if (!ready.isEmpty()) {
        turn();
        if (++atOnce > TURNS_MAX) {
          throw new Violation("threads come to rest", "they do not at " + now);
        }
      } else {
        Event next = events.peek();
        if (next == null || next.at.isAfter(end)) {
          now = end;
          return;
        }
        atOnce = next.at.equals(now) ? atOnce + 1 : 0;
        happen(Objects.requireNonNull(events.poll()));
      }
      for (Runnable check : checks) {
        check.run();
      }
      if (failure != null) {
        throw failure;
      }
    }
  }

  private void happen(Event event) {
    if (event.cancelled || event.boot.isOver()) {
      return;
    }
    now = event.at;
    trace = trace * 31 + event.number;
    event.action.run();
  }

  private void turn() {
    int pick = ready.size() == 1 ? 0 : order.nextInt(ready.size());
    Turn turn = ready.get(pick);
    ready.set(pick, ready.getLast());
    ready.removeLast();
    if (turn.cell().boot.isOver()) {
      return;
    }
    if (turn.cell().boot.isPaused()) {
      resting.add(turn);
      return;
    }
    trace = trace * 31 + pick;
    turns++;
    running = true;
    turn.body().run();
    running = false;
    awaitUnblocked(turn.cell().thread);
  }

  /**
   * A thread that met a monitor comes back through a thread of the JVM and not through us. Waiting
   * for it keeps the schedule the seed's own.
   */
  private static void awaitUnblocked(@Nullable Thread thread) {
    for (int look = 0;
        look < BLOCKED_LOOKS_MAX && thread != null && thread.getState() == Thread.State.BLOCKED;
        look++) {
      LockSupport.parkNanos(10_000);
    }
  }

  /** Wakes a wait whose time has come. Its lock may be held by a thread that rests just now. */
  void signal(Boot boot, Lock lock, Condition condition) {
    if (lock.tryLock()) {
      try {
        condition.signalAll();
      } finally {
        lock.unlock();
      }
    } else {
      threads(boot)
          .start(
              "clock",
              () -> {
                lock.lock();
                try {
                  condition.signalAll();
                } finally {
                  lock.unlock();
                }
              });
    }
  }

  /** Where a thread is in our code, for a report. */
  public static String place(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith("dev.ron."))
        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
        .collect(Collectors.joining(" < ", thread.getName() + " at ", ""));
  }

  private static Constructor<?> builder() {
    try {
      Class<?> type = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder");
      Constructor<?> constructor = type.getDeclaredConstructor(Executor.class);
      constructor.setAccessible(true);
      return constructor;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this JDK has no virtual thread builder with a scheduler", e);
    }
  }

  private static Thread.Builder.OfVirtual newBuilder(Executor scheduler) {
    try {
      return (Thread.Builder.OfVirtual) BUILDER.newInstance(scheduler);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a virtual thread with a scheduler", e);
    }
  }
}
