package dev.ron.kernel.supervise;

import dev.ron.kernel.Scope;
import dev.ron.kernel.ready.Readiness;
import dev.ron.kernel.supervise.Supervisor.Member;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A supervisor's tree while it runs on threads; {@link Shutdown} ends it.
 *
 * <p>Threading: thread-safe; the first caller of {@link #drain} does it, the others wait.
 */
public final class Tree {
  private final Scope scope;
  private final String path;
  private final Supervisor supervisor;
  private final Readiness.Condition running;
  private final Deque<Running> started = new ArrayDeque<>();
  private volatile Phase phase = Phase.STARTING;
  private final AtomicBoolean intakeStopped = new AtomicBoolean();
  private final AtomicBoolean drainAsked = new AtomicBoolean();
  private final Gate stopped;
  private volatile DrainReport report = DrainReport.NOTHING;

  /** A member after its start. */
  sealed interface Running {
    record Child(TaskThread task) implements Running {}

    record Entrance(String name, Door door) implements Running {}

    record Branch(Tree tree) implements Running {}
  }

  private Tree(Supervisor supervisor, Scope scope, String path) {
    this.scope = scope;
    this.path = path;
    this.supervisor = supervisor;
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
      case Member.Child child ->
          started.push(
              new Running.Child(new TaskThread(child, path + "/" + child.name(), scope, health)));
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
    if (!drainAsked.compareAndSet(false, true)) {
      stopped.await(Deadline.NEVER);
      return report;
    }
    try {
      var drain = new Shutdown(this, scope, members(), supervisor.drainLimit());
      report = drain.run();
      return report;
    } finally {
      enter(Phase.STOPPED);
      stopped.open();
    }
  }

  /** Makes a drain stop waiting for requests; tasks that make data durable keep their time. */
  public void hasten() {
    for (Running member : members()) {
      switch (member) {
        case Running.Entrance(_, Door door) -> door.hasten();
        case Running.Branch(Tree tree) -> tree.hasten();
        case Running.Child _ -> {}
      }
    }
  }

  /** All doors of the tree refuse what is new, and every wait in it is told. */
  void stopIntake() {
    if (!intakeStopped.compareAndSet(false, true)) {
      return;
    }
    enter(Phase.DRAINING);
    for (Running member : members()) {
      switch (member) {
        case Running.Entrance(_, Door door) -> door.stopIntake();
        case Running.Branch(Tree tree) -> tree.stopIntake();
        case Running.Child _ -> {}
      }
    }
    scope.draining().give();
  }

  void enter(Phase next) {
    if (phase != next) {
      phase = next;
      running.missing(next.name().toLowerCase(Locale.ROOT));
    }
  }

  /** What was started, the last one first. */
  private List<Running> members() {
    return new ArrayList<>(started);
  }
}
