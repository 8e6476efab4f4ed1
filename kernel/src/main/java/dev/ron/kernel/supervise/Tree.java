package dev.ron.kernel.supervise;

import dev.ron.kernel.Scope;
import dev.ron.kernel.ready.Readiness;
import dev.ron.kernel.supervise.Supervisor.Member;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A supervisor's tree while it runs on threads.
 *
 * <p>The drain goes from bottom to top within one deadline. A task is asked to drain only after
 * everything below it has ended, that is after all who send to it; so it finds everything it will
 * ever get. When the time is up, all that is left is interrupted and counted.
 *
 * <p>Threading: thread-safe; the first caller of {@link #drain} does it, the others wait.
 */
public final class Tree {
  /** After an interrupt a task gets this long to end before it is reported as stuck. */
  private static final Duration ABORT_LIMIT = Duration.ofMillis(500);

  private final Scope scope;
  private final String path;
  private final Duration drainLimit;
  private final Readiness.Condition running;
  private final Deque<Running> started = new ArrayDeque<>();
  private final List<TaskThread> tasks = new ArrayList<>();
  private volatile Phase phase = Phase.STARTING;
  private final AtomicBoolean drainAsked = new AtomicBoolean();
  private final Gate stopped;
  private volatile DrainReport report = DrainReport.NOTHING;

  /** A member after its start, the last one first. */
  private sealed interface Running {
    record Child(TaskThread task) implements Running {}

    record Entrance(String name, Door door) implements Running {}

    record Branch(Tree tree) implements Running {}
  }

  private Tree(Supervisor supervisor, Scope scope, String path) {
    this.scope = scope;
    this.path = path;
    this.drainLimit = supervisor.drainLimit();
    this.running = scope.readiness().condition("running");
    this.stopped = new Gate(scope.time());
    running.missing("starting");
  }

  static Tree start(Supervisor supervisor, Scope scope, String path) throws Exception {
    var tree = new Tree(supervisor, scope, path);
    var health = new TaskHealth(scope);
    try {
      for (Member member : supervisor.members()) {
        tree.start(member, health);
      }
    } catch (Exception failure) {
      tree.drain();
      throw failure;
    }
    tree.phase = Phase.RUNNING;
    tree.running.met();
    return tree;
  }

  private void start(Member member, TaskHealth health) throws Exception {
    switch (member) {
      case Member.Child child -> {
        var cell = new TaskCell(child, path + "/" + child.name(), scope, health);
        var task = new TaskThread(cell, scope);
        tasks.add(task);
        started.push(new Running.Child(task));
      }
      case Member.Entrance(String name, Door door) -> {
        door.open();
        started.push(new Running.Entrance(name, door));
      }
      case Member.Branch(Supervisor inner, Scope innerScope) ->
          started.push(new Running.Branch(start(inner, innerScope, path + "/" + inner.name())));
    }
  }

  public Phase phase() {
    return phase;
  }

  public String path() {
    return path;
  }

  /** Ends the tree; a second call waits for the first and answers the same. */
  public DrainReport drain() throws InterruptedException {
    return drain(Deadline.NEVER);
  }

  private DrainReport drain(Deadline outer) throws InterruptedException {
    if (!drainAsked.compareAndSet(false, true)) {
      stopped.await(Deadline.NEVER);
      return report;
    }
    enter(Phase.DRAINING);
    stopIntake();
    Deadline deadline = Deadline.in(drainLimit, scope.time()).earlier(outer);
    DrainReport sum = DrainReport.NOTHING;
    for (Running member : started) {
      sum = sum.plus(drain(member, deadline));
    }
    sum = sum.plus(abortStragglers());
    report = sum.plus(new DrainReport(0, 0, 0, scope.registry().abandonChannels()));
    enter(Phase.STOPPED);
    stopped.open();
    return report;
  }

  private void stopIntake() {
    for (Running member : started) {
      switch (member) {
        case Running.Entrance(_, Door door) -> door.stopIntake();
        case Running.Branch(Tree tree) -> tree.stopIntake();
        case Running.Child _ -> {}
      }
    }
  }

  private DrainReport drain(Running member, Deadline deadline) throws InterruptedException {
    return switch (member) {
      case Running.Child(TaskThread task) -> {
        task.drain();
        yield new DrainReport(task.awaitEnd(deadline) ? 1 : 0, 0, 0, 0);
      }
      case Running.Entrance(String name, Door door) -> {
        int cut = door.close(deadline);
        scope.counters().tasksAborted().labelValues(name).inc(cut);
        yield new DrainReport(0, 0, cut, 0);
      }
      case Running.Branch(Tree tree) -> tree.drain(deadline);
    };
  }

  private DrainReport abortStragglers() throws InterruptedException {
    var aborted = new ArrayList<TaskThread>();
    for (TaskThread task : tasks) {
      if (task.abort()) {
        enter(Phase.ABORTING);
        aborted.add(task);
      }
    }
    Deadline deadline = Deadline.in(ABORT_LIMIT, scope.time());
    for (TaskThread task : aborted) {
      boolean ended = task.awaitEnd(deadline);
      scope.log().warn("task-aborted", "task", task.path(), "ended", ended);
    }
    return new DrainReport(0, aborted.size(), 0, 0);
  }

  private void enter(Phase next) {
    if (phase != next) {
      phase = next;
      running.missing(next.name().toLowerCase(java.util.Locale.ROOT));
    }
  }
}
