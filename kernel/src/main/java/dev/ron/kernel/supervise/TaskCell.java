package dev.ron.kernel.supervise;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Inbox;
import dev.ron.kernel.channel.StepItems;
import dev.ron.kernel.registry.TaskRow;
import dev.ron.kernel.supervise.Supervisor.Member.Child;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One task's whole life, restarts included, one step at a time.
 *
 * <p>It decides everything and waits for nothing: a thread drives it in production, a loop in
 * virtual time drives it in tests, and both see the same restarts, the same drain, the same end.
 *
 * <p>Threading: {@link #step} is called by one driver; {@link #drain} and the row by any thread.
 */
public final class TaskCell {
  private final Child child;
  private final String path;
  private final Scope scope;
  private final TaskHealth health;
  private final RestartBudget budget;
  private final StepItems hand;

  private @Nullable Task task;
  private Instant startAt = Instant.MIN;
  private Next.@Nullable Await waiting;
  private boolean ailing;
  private boolean escalated;
  private boolean lastTry;
  private int dropped;
  private volatile boolean draining;
  private volatile boolean aborted;
  private volatile State state = State.STARTING;
  private volatile List<Inbox> awaited = List.of();
  private final AtomicLong restarts = new AtomicLong();

  /** As the registry shows it. */
  private enum State {
    STARTING("starting"),
    RUNNING("running"),
    WAITING("waiting"),
    RESTARTING("restarting"),
    FAILED("failed"),
    ENDED("ended");

    private final String words;

    State(String words) {
      this.words = words;
    }
  }

  /** What the driver has to do before the next step. */
  public sealed interface Want {
    /** Nothing: call again at once. */
    record Step() implements Want {}

    /** Wait for one of the inboxes, no later than the time given. */
    record Wait(List<Inbox> inboxes, Instant until) implements Want {}

    /** Stop: the task has ended for good. */
    record End() implements Want {}
  }

  /**
   * @param hand bound to the thread that drives the cell
   */
  TaskCell(Child child, String path, Scope scope, TaskHealth health, StepItems hand) {
    this.child = child;
    this.path = path;
    this.scope = scope;
    this.health = health;
    this.hand = hand;
    this.budget = new RestartBudget(scope.chance());
    scope.registry().task(this::row);
  }

  /** Finish what is there, wait for nothing more, end. */
  public void drain() {
    draining = true;
  }

  /** The time of its drain is up: the step that runs now is interrupted. */
  void abort() {
    aborted = true;
  }

  public Want step(Instant now) throws InterruptedException {
    if (state == State.ENDED || state == State.FAILED) {
      return new Want.End();
    }
    calmDown(now);
    hand.clear();
    try {
      Task current = task;
      if (current == null) {
        if (now.isBefore(startAt)) {
          if (!draining) {
            return wait(List.of(), startAt);
          }
          lastTry = true; // a task that rests after a failure has things to finish all the same
        }
        current = child.make().get();
        task = current;
        scope.counters().tasksSpawned().labelValues(child.kind()).inc();
      }
      if (waiting != null && !due(waiting, now)) {
        return restOrEnd(current, waiting, now);
      }
      waiting = null;
      state = State.RUNNING;
      return after(current.run(now), current, now);
    } catch (InterruptedException stop) {
      throw stop;
    } catch (Throwable failure) {
      return failed(failure, now);
    }
  }

  /**
   * The step was interrupted and will not be called again: releases what the task holds. {@link
   * Task#finish} makes data durable, so it runs here too.
   */
  void interrupted(Instant now) throws Exception {
    dropped += hand.drop();
    Task current = task;
    state = State.FAILED;
    if (current != null) {
      current.finish(now);
    }
  }

  /** Ended by itself, with its {@link Task#finish}. */
  boolean endedInOrder() {
    return state == State.ENDED;
  }

  /** How many items aborted steps had in hand. */
  int dropped() {
    return dropped;
  }

  String path() {
    return path;
  }

  String kind() {
    return child.kind();
  }

  boolean computes() {
    return child.computes();
  }

  private Want after(Next next, Task current, Instant now) throws Exception {
    recovered();
    return switch (next) {
      case Next.Again _ -> new Want.Step();
      case Next.Await await -> {
        waiting = await;
        yield due(await, now) ? new Want.Step() : restOrEnd(current, await, now);
      }
      case Next.Done _ -> {
        if (child.restart() == Restart.ALWAYS && !draining) {
          throw new IllegalStateException("a task that should run always said it was done");
        }
        current.finish(now);
        yield end();
      }
    };
  }

  /** While draining, time alone is no reason to run again: only what is left in an inbox is. */
  private boolean due(Next.Await await, Instant now) {
    boolean itIsTime = !draining && !now.isBefore(await.noLaterThan());
    return itIsTime || anyReady(await.inboxes());
  }

  /** Whether a task that waits for these has something to do, or nothing to wait for. */
  static boolean worthAStep(List<Inbox> inboxes) {
    return anyReady(inboxes) || allEnded(inboxes);
  }

  // Loops, because every step of every task asks.

  private static boolean anyReady(List<Inbox> inboxes) {
    for (Inbox each : inboxes) {
      if (each.ready()) {
        return true;
      }
    }
    return false;
  }

  private static boolean allEnded(List<Inbox> inboxes) {
    for (Inbox each : inboxes) {
      if (!each.ended()) {
        return false;
      }
    }
    return !inboxes.isEmpty();
  }

  /** The task has nothing to do. That ends it if nothing can come any more, or if we drain. */
  private Want restOrEnd(Task current, Next.Await await, Instant now) throws Exception {
    boolean over = allEnded(await.inboxes());
    if (!over && !draining) {
      return wait(await.inboxes(), await.noLaterThan());
    }
    if (!over) {
      scope.counters().tasksCanceled().labelValues(child.kind()).inc();
    }
    current.finish(now);
    return end();
  }

  private Want wait(List<Inbox> inboxes, Instant until) {
    if (task != null) {
      awaited = inboxes;
      state = State.WAITING;
    }
    // While escalated, wake in time to say that calm has returned.
    return new Want.Wait(
        inboxes, escalated && budget.calmAt().isBefore(until) ? budget.calmAt() : until);
  }

  private Want end() {
    state = State.ENDED;
    health.well(path);
    return new Want.End();
  }

  private Want failed(Throwable failure, Instant now) {
    task = null;
    waiting = null;
    if (aborted) {
      dropped += hand.drop(); // the interrupt came out as another exception
    }
    String cause = failure.getClass().getSimpleName();
    scope
        .log()
        .error(
            "task-failed",
            "task",
            path,
            "cause",
            cause,
            "detail",
            String.valueOf(failure.getMessage()));
    if (child.restart() == Restart.NEVER || lastTry) {
      health.ailing(path, "failed with " + cause + " and is not started again");
      state = State.FAILED;
      return new Want.End();
    }
    startAt = budget.restartAt(now);
    restarts.incrementAndGet();
    state = State.RESTARTING;
    ailing = true;
    escalated = budget.escalated(now);
    scope.counters().serviceRestarts().labelValues(child.kind()).inc();
    health.ailing(
        path,
        escalated
            ? "failed with %s, more than %d times in a minute"
                .formatted(cause, RestartBudget.RESTARTS_MAX)
            : "failed with %s and is being restarted".formatted(cause));
    return draining ? new Want.Step() : wait(List.of(), startAt);
  }

  private void recovered() {
    if (ailing && !escalated) {
      ailing = false;
      health.well(path);
    }
  }

  private void calmDown(Instant now) {
    if (escalated && task != null && !budget.escalated(now)) {
      escalated = false;
      recovered();
    }
  }

  private TaskRow row() {
    List<String> names =
        awaited.stream().map(Inbox::name).filter(name -> !name.isEmpty()).distinct().toList();
    return new TaskRow(
        path, child.kind(), child.restart().words(), state.words, restarts.get(), names);
  }
}
