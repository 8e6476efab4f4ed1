package dev.ron.gateway.task;

import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.time.Instant;

/**
 * Puts what arrives in its tenant's line, and hands places to those whose turn it is.
 *
 * <p>Threading: owned by its task; the only writer of the backlog.
 */
final class SchedulerLoop implements Task {
  private static final int BATCH = 64;

  private final Channel<Ticket> work;
  private final Channel<Ticket> sched;
  private final Freed freed;
  private final Backlog backlog;
  private final Routings routings;
  private final Admission admission;

  SchedulerLoop(
      Channel<Ticket> work,
      Channel<Ticket> sched,
      Freed freed,
      Backlog backlog,
      Routings routings,
      Admission admission) {
    this.work = work;
    this.sched = sched;
    this.freed = freed;
    this.backlog = backlog;
    this.routings = routings;
    this.admission = admission;
  }

  @Override
  public Next run(Instant now) {
    freed.heard();
    for (Ticket ticket : work.receiveBatch(BATCH)) {
      Ticket away = backlog.add(ticket);
      if (away != null) {
        away.holder().refused(admission.full(away.tenant()));
      }
    }
    backlog.grant(routings.now().quanta()).forEach(sched::trySend);
    return work.ready() ? Next.again() : Next.await(work, freed);
  }
}
