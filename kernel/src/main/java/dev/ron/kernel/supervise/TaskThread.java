package dev.ron.kernel.supervise;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Bell;
import dev.ron.kernel.channel.Inbox;
import dev.ron.kernel.channel.StepItems;
import dev.ron.kernel.supervise.Supervisor.Member.Child;
import dev.ron.kernel.supervise.TaskCell.Want;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import java.time.Instant;
import java.util.List;

/**
 * Drives one task on a thread of its own.
 *
 * <p>Threading: {@link #live} runs on the task's thread; the rest is called by the tree.
 */
final class TaskThread {
  private final TaskCell cell;
  private final StepItems hand = new StepItems();
  private final Scope scope;
  private final Bell bell;
  private final Gate ended;
  private final Thread thread;
  private volatile boolean inOrder;
  private volatile boolean finished;
  private List<Inbox> attached = List.of();

  TaskThread(Child child, String path, Scope scope, TaskHealth health) {
    this.cell = new TaskCell(child, path, scope, health, hand);
    this.scope = scope;
    this.bell = new Bell(scope.time());
    this.ended = new Gate(scope.time());
    Threads threads = scope.world().threads();
    this.thread =
        cell.computes()
            ? threads.startComputing(path, this::live)
            : threads.start(path, this::live);
  }

  void drain() {
    cell.drain();
    bell.ring();
  }

  boolean awaitEnd(Deadline deadline) throws InterruptedException {
    return ended.await(deadline);
  }

  /** Its time is up; {@link Task#finish} still gets a moment. */
  void abort() {
    cell.abort();
    thread.interrupt();
  }

  /** Asked after the end: whether it came by itself, with {@link Task#finish}. */
  boolean endedInOrder() {
    return inOrder;
  }

  /** Asked after the end: whether {@link Task#finish} has run, in order or after an interrupt. */
  boolean finished() {
    return finished;
  }

  /** Asked after the end: how many items its aborted steps had in hand. */
  int dropped() {
    return ended.isOpen() ? cell.dropped() : 0;
  }

  String path() {
    return cell.path();
  }

  String kind() {
    return cell.kind();
  }

  private void live() {
    try {
      hand.carry(
          () -> {
            drive();
            inOrder = cell.endedInOrder();
            finished = inOrder;
            return inOrder;
          });
    } catch (InterruptedException aborted) {
      lastMoment();
    } catch (Exception impossible) {
      throw new IllegalStateException("a cell throws nothing but an interrupt", impossible);
    } finally {
      attach(List.of());
      ended.open();
    }
  }

  private void drive() throws InterruptedException {
    while (true) {
      switch (cell.step(scope.time().now())) {
        case Want.Step _ -> {}
        case Want.End _ -> {
          return;
        }
        case Want.Wait(List<Inbox> inboxes, var until) -> await(inboxes, until);
      }
    }
  }

  /**
   * The bell is armed here and nowhere else: one that stayed armed during a step would be rung for
   * an item that only an idle worker can take now.
   */
  private void await(List<Inbox> inboxes, Instant until) throws InterruptedException {
    attach(inboxes);
    bell.arm();
    // Armed first, looked then: what came before the bell could be rung is seen.
    if (!TaskCell.worthAStep(inboxes)) {
      bell.await(until);
    }
    bell.disarm();
    passOn(inboxes);
  }

  /** The step serves one inbox first, and it may have been another that rang for it alone. */
  private static void passOn(List<Inbox> inboxes) {
    int ready = 0;
    for (Inbox each : inboxes) {
      ready += each.ready() ? 1 : 0;
    }
    if (ready > 1) {
      inboxes.forEach(Inbox::passOn);
    }
  }

  private void lastMoment() {
    var _ = Thread.interrupted(); // the interrupt has done its work; finishing may wait again
    try {
      cell.interrupted(scope.time().now());
      finished = true;
    } catch (Exception failed) {
      scope.log().error("task-unfinished", "task", path(), "why", failed);
    }
  }

  private void attach(List<Inbox> inboxes) {
    if (attached.equals(inboxes)) {
      return;
    }
    attached.forEach(inbox -> inbox.detach(bell));
    inboxes.forEach(inbox -> inbox.attach(bell));
    attached = inboxes;
  }
}
