package dev.ron.kernel.supervise;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Bell;
import dev.ron.kernel.channel.Inbox;
import dev.ron.kernel.supervise.TaskCell.Want;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import java.util.List;

/**
 * Drives one task on a thread of its own.
 *
 * <p>Threading: {@link #live} runs on the task's thread; the rest is called by the tree.
 */
final class TaskThread {
  private final TaskCell cell;
  private final Scope scope;
  private final Bell bell;
  private final Gate ended;
  private final Thread thread;
  private List<Inbox> attached = List.of();

  TaskThread(TaskCell cell, Scope scope) {
    this.cell = cell;
    this.scope = scope;
    this.bell = new Bell(scope.time());
    this.ended = new Gate(scope.time());
    this.thread = scope.world().threads().start(cell.path(), this::live);
  }

  void drain() {
    cell.drain();
    bell.ring();
  }

  boolean awaitEnd(Deadline deadline) throws InterruptedException {
    return ended.await(deadline);
  }

  /** Interrupts the task; true if it was still alive, and then it counts as aborted. */
  boolean abort() {
    if (ended.isOpen()) {
      return false;
    }
    scope.counters().tasksAborted().labelValues(cell.kind()).inc();
    thread.interrupt();
    return true;
  }

  String path() {
    return cell.path();
  }

  private void live() {
    try {
      boolean armed = false;
      while (true) {
        switch (cell.step(scope.time().now())) {
          case Want.Step _ -> {
            armed = false;
            bell.disarm();
          }
          case Want.End _ -> {
            return;
          }
          case Want.Wait(List<Inbox> inboxes, var until) -> {
            // Attach and arm first, then let the cell look once more: what came between is seen.
            if (!armed || !attached.equals(inboxes)) {
              attach(inboxes);
              bell.arm();
              armed = true;
            } else {
              bell.await(until);
              armed = false;
            }
          }
        }
      }
    } catch (InterruptedException aborted) {
      Thread.currentThread().interrupt();
    } finally {
      attach(List.of());
      ended.open();
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
