package dev.ron.kernel.supervise;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Inbox;
import dev.ron.kernel.channel.StepItems;
import dev.ron.kernel.supervise.Supervisor.Member;
import dev.ron.kernel.supervise.TaskCell.Want;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A supervisor's tree in virtual time, on the caller's thread.
 *
 * <p>The same cells that {@link Tree} puts on threads are stepped here, one at a time, in an order
 * drawn from a seed; time moves only when all of them wait. A script of minutes takes microseconds,
 * and a seed that fails fails again.
 *
 * <p>Threading: owned by the test.
 */
public final class SteppedTree {
  /** A tree that is still busy after this many steps at one instant will never wait: a bug. */
  private static final int STEPS_MAX = 1_000_000;

  private final VirtualTime time;
  private final RandomGenerator order;
  private final Scope scope;
  private final Duration drainLimit;
  private final List<Member> members;
  private final List<Cell> cells = new ArrayList<>();

  /** A cell and what it said it waits for. */
  private static final class Cell {
    private final TaskCell task;
    private Want want = new Want.Step();

    Cell(TaskCell task) {
      this.task = task;
    }

    boolean runnable(Instant now) {
      return switch (want) {
        case Want.Step _ -> true;
        case Want.End _ -> false;
        case Want.Wait(List<Inbox> inboxes, Instant until) ->
            !now.isBefore(until)
                || inboxes.stream().anyMatch(inbox -> inbox.ready() || inbox.ended());
      };
    }
  }

  private SteppedTree(Supervisor supervisor, Scope scope, VirtualTime time, RandomGenerator order) {
    this.scope = scope;
    this.time = time;
    this.order = order;
    this.drainLimit = supervisor.drainLimit();
    this.members = supervisor.members();
  }

  /**
   * Opens the doors, makes the tasks, and steps nothing yet.
   *
   * @param scope a scope whose world has {@code time} as its time
   * @param order draws which of the tasks that could run does
   */
  public static SteppedTree start(
      Supervisor supervisor, Scope scope, VirtualTime time, RandomGenerator order)
      throws Exception {
    var tree = new SteppedTree(supervisor, scope, time, order);
    var health = new TaskHealth(scope);
    for (Member member : supervisor.members()) {
      switch (member) {
        case Member.Child child ->
            tree.cells.add(
                new Cell(
                    new TaskCell(
                        child,
                        supervisor.name() + "/" + child.name(),
                        scope,
                        health,
                        new StepItems())));
        case Member.Entrance(_, Door door) -> door.open();
        case Member.Branch _ ->
            throw new IllegalArgumentException("step the branches of a tree one by one");
      }
    }
    return tree;
  }

  /** Steps until every task waits. */
  public void settle() throws InterruptedException {
    for (int steps = 0; steps < STEPS_MAX; steps++) {
      List<Cell> runnable = cells.stream().filter(cell -> cell.runnable(time.now())).toList();
      if (runnable.isEmpty()) {
        return;
      }
      Cell next = runnable.get(order.nextInt(runnable.size()));
      next.want = next.task.step(time.now());
    }
    throw new AssertionError("the tree never waits: " + scope.registry().tasks());
  }

  /** Lets time pass, stopping wherever a task wants to wake. */
  public void advance(Duration by) throws InterruptedException {
    Instant to = time.now().plus(by);
    settle();
    while (true) {
      Optional<Instant> wake = nextWake().filter(at -> !at.isAfter(to));
      if (wake.isEmpty()) {
        time.advanceTo(to);
        settle();
        return;
      }
      time.advanceTo(wake.get());
      settle();
    }
  }

  /** Drains as {@link Tree} does: the requests, then the tasks from bottom to top. */
  public DrainReport drain() throws InterruptedException {
    List<Door> doors = doors();
    doors.forEach(Door::stopIntake);
    scope.draining().give();
    Deadline deadline = Deadline.in(drainLimit, time);
    Door.Requests requests = Door.Requests.NONE;
    for (Door door : doors) {
      requests = requests.plus(door.drain(deadline));
    }
    scope.requestsOver().give();
    int drained = 0;
    int dropped = 0;
    int cellIndex = cells.size();
    for (Member member : members.reversed()) {
      if (member instanceof Member.Entrance(_, Door door)) {
        door.end(deadline);
      } else {
        Cell cell = cells.get(--cellIndex);
        drained += drain(cell) ? 1 : 0;
        dropped += cell.task.dropped();
      }
    }
    dropped += scope.registry().abandonChannels();
    for (Door door : doors) {
      door.release();
    }
    return DrainReport.tasks(drained, cells.size() - drained)
        .plus(DrainReport.of(requests))
        .plus(DrainReport.told(scope.draining().told()))
        .plus(DrainReport.dropped(dropped));
  }

  private List<Door> doors() {
    return members.reversed().stream()
        .flatMap(
            each ->
                each instanceof Member.Entrance(_, Door door) ? Stream.of(door) : Stream.empty())
        .toList();
  }

  /** A step cannot be interrupted here, and a draining task waits for nothing: it ends. */
  private boolean drain(Cell cell) throws InterruptedException {
    cell.task.drain();
    cell.want = new Want.Step();
    settle();
    return cell.task.endedInOrder();
  }

  private Optional<Instant> nextWake() {
    return cells.stream()
        .filter(cell -> cell.want instanceof Want.Wait)
        .map(cell -> ((Want.Wait) cell.want).until())
        .filter(at -> at.isBefore(Instant.MAX) && at.isAfter(time.now()))
        .min(Instant::compareTo);
  }
}
