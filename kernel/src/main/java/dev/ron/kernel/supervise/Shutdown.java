package dev.ron.kernel.supervise;

import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Tree.Running;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The end of a tree: first the requests, then the tasks, each with a time limit of its own.
 *
 * <p>Requests in flight have the tree's limit and are cut there. Tasks have the same limit again,
 * counted from when the last request has ended, so that no request can use up the time that tasks
 * need to make data durable. They drain from bottom to top: a task is asked only after everything
 * below it has ended, which includes all of its senders; so its inbox holds everything it will ever
 * get. Each is awaited for a moment even when the others have used up the limit; one that needs
 * longer is interrupted and counted. Trees inside the tree that stand side by side drain at the
 * same time.
 *
 * <p>Threading: owned by the thread that drains. Doors are called on threads of their own, so that
 * one that hangs or throws does not stop the others from ending.
 */
final class Shutdown {
  /**
   * Past its deadline a member still gets this long: an idle task needs it to end, an interrupted
   * task to finish, a door to notice.
   */
  static final Duration MOMENT = Duration.ofMillis(500);

  /** The extra time a door gets to cut what is left. */
  private static final Duration CUTTING = Duration.ofSeconds(2);

  private final Tree tree;
  private final Scope scope;
  private final List<Running> members;
  private final Duration limit;

  /**
   * @param members the last one first
   */
  Shutdown(Tree tree, Scope scope, List<Running> members, Duration limit) {
    this.tree = tree;
    this.scope = scope;
    this.members = members;
    this.limit = limit;
  }

  DrainReport run() throws InterruptedException {
    tree.stopIntake();
    DrainReport requests = drainRequests(Deadline.in(limit, scope.time()));
    scope.requestsOver().give();
    DrainReport tasks = drainMembers();
    int left = scope.registry().abandonChannels();
    release();
    return requests
        .plus(tasks)
        .plus(DrainReport.dropped(left))
        .plus(DrainReport.told(scope.draining().told()));
  }

  private DrainReport drainRequests(Deadline deadline) throws InterruptedException {
    var waits = new ArrayList<Attempt<Door.Requests>>();
    for (Running member : members) {
      if (member instanceof Running.Entrance(String name, Door door)) {
        waits.add(new Attempt<>(name, () -> counted(name, door.drain(deadline))));
      }
    }
    DrainReport sum = DrainReport.NOTHING;
    for (Attempt<Door.Requests> each : waits) {
      sum = sum.plus(DrainReport.of(each.await(deadline, Door.Requests.NONE)));
    }
    return sum;
  }

  private Door.Requests counted(String name, Door.Requests requests) {
    scope.counters().tasksAborted().labelValues(name).inc(requests.cut());
    return requests;
  }

  private DrainReport drainMembers() throws InterruptedException {
    Deadline deadline = Deadline.in(limit, scope.time());
    DrainReport sum = DrainReport.NOTHING;
    var sideBySide = new ArrayList<Tree>();
    for (Running member : members) {
      if (member instanceof Running.Branch(Tree branch)) {
        sideBySide.add(branch);
        continue;
      }
      sum = sum.plus(together(sideBySide));
      sideBySide.clear();
      switch (member) {
        case Running.Child(TaskThread task) -> sum = sum.plus(drain(task, deadline));
        case Running.Entrance(String name, Door door) -> end(name, door, deadline);
        case Running.Branch _ -> throw new IllegalStateException("a branch is not drained alone");
      }
    }
    return sum.plus(together(sideBySide));
  }

  private DrainReport together(List<Tree> branches) throws InterruptedException {
    var drains = new ArrayList<Attempt<DrainReport>>();
    for (Tree branch : branches) {
      drains.add(new Attempt<>(branch.path(), branch::drain));
    }
    DrainReport sum = DrainReport.NOTHING;
    for (Attempt<DrainReport> each : drains) {
      sum = sum.plus(each.await(Deadline.NEVER, DrainReport.NOTHING));
    }
    return sum;
  }

  private DrainReport drain(TaskThread task, Deadline deadline) throws InterruptedException {
    task.drain();
    boolean ended = task.awaitEnd(noSoonerThanAMoment(deadline));
    if (!ended) {
      tree.enter(Phase.ABORTING);
      task.abort();
      boolean gone = task.awaitEnd(Deadline.in(MOMENT, scope.time()));
      boolean finished = gone && task.finished();
      scope.log().warn("task-aborted", "task", task.path(), "ended", gone, "finished", finished);
    }
    if (ended && task.endedInOrder()) {
      return DrainReport.tasks(1, 0);
    }
    scope.counters().tasksAborted().labelValues(task.kind()).inc();
    return DrainReport.tasks(0, 1).plus(DrainReport.dropped(task.dropped()));
  }

  private void end(String name, Door door, Deadline deadline) throws InterruptedException {
    Deadline enough = noSoonerThanAMoment(deadline);
    attempt(
        name,
        door,
        enough,
        () -> {
          door.end(enough);
          return door;
        });
  }

  private void release() throws InterruptedException {
    for (Running member : members) {
      if (member instanceof Running.Entrance(String name, Door door)) {
        attempt(
            name,
            door,
            Deadline.in(limit, scope.time()),
            () -> {
              door.release();
              return door;
            });
      }
    }
  }

  private void attempt(String name, Door door, Deadline deadline, Callable<Door> call)
      throws InterruptedException {
    var attempt = new Attempt<>(name, call);
    attempt.await(deadline, door);
  }

  /** A door that cuts at its deadline is awaited until it has. */
  private Deadline past(Deadline deadline) {
    Deadline latest = deadline.equals(Deadline.NEVER) ? deadline : later(deadline, CUTTING);
    return noSoonerThanAMoment(latest);
  }

  private static Deadline later(Deadline deadline, Duration by) {
    return new Deadline(deadline.at().plus(by));
  }

  private Deadline noSoonerThanAMoment(Deadline deadline) {
    Deadline moment = Deadline.in(MOMENT, scope.time());
    return deadline.compareTo(moment) < 0 ? moment : deadline;
  }

  /** A call on a thread of its own. */
  private final class Attempt<T> {
    private final String name;
    private final Gate gate = new Gate(scope.time());
    private final AtomicReference<T> result = new AtomicReference<>();

    Attempt(String name, Callable<T> call) {
      this.name = name;
      scope.world().threads().start(tree.path() + "/" + name + "/drain", () -> run(call));
    }

    private void run(Callable<T> call) {
      try {
        result.set(call.call());
      } catch (Throwable failed) {
        scope.log().error("drain-failed", "member", name, "why", failed);
      } finally {
        gate.open();
      }
    }

    T await(Deadline deadline, T otherwise) throws InterruptedException {
      if (!gate.await(past(deadline))) {
        scope.log().error("drain-stuck", "member", name);
      }
      T value = result.get();
      return value == null ? otherwise : value;
    }
  }
}
