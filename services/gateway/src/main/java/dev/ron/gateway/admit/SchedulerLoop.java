package dev.ron.gateway.admit;

import dev.ron.gateway.route.CurrentRouting;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.tenant.TenantTable;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Puts what arrives in its tenant's line, and hands places to those whose turn it is.
 *
 * <p>Threading: owned by its task; the only writer of the backlog.
 */
public final class SchedulerLoop implements Task {
  private static final int BATCH = 64;

  private final Channel<AdmissionTicket> work;
  private final Channel<AdmissionTicket> sched;
  private final SlotSignal freed;
  private final Backlog backlog;
  private final CurrentRouting routings;
  private final Admission admission;
  private final Supplier<TenantTable> tenants;

  public SchedulerLoop(
      Channel<AdmissionTicket> work,
      Channel<AdmissionTicket> sched,
      SlotSignal freed,
      Backlog backlog,
      CurrentRouting routings,
      Admission admission,
      Supplier<TenantTable> tenants) {
    this.work = work;
    this.sched = sched;
    this.freed = freed;
    this.backlog = backlog;
    this.routings = routings;
    this.admission = admission;
    this.tenants = tenants;
  }

  @Override
  public Next run(Instant now) {
    freed.heard();
    for (AdmissionTicket ticket : work.receiveBatch(BATCH)) {
      AdmissionTicket away = backlog.add(ticket);
      if (away != null) {
        away.holder().refused(admission.full(away.tenant()));
      }
    }
    backlog.grant(routings.now().quanta().among(tenants.get())).forEach(sched::trySend);
    return work.ready() ? Next.again() : Next.await(work, freed);
  }
}
