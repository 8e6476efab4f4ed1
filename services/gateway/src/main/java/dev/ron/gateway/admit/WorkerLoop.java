package dev.ron.gateway.admit;

import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.time.Instant;

/**
 * Starts the requests the scheduler chose, each on the event loop of its client.
 *
 * <p>Threading: owned by its task.
 */
public final class WorkerLoop implements Task {
  private final Channel<AdmissionTicket> sched;

  public WorkerLoop(Channel<AdmissionTicket> sched) {
    this.sched = sched;
  }

  @Override
  public Next run(Instant now) {
    // One at a time: what is left is another worker's.
    AdmissionTicket next = sched.tryReceive();
    if (next == null) {
      return Next.await(sched);
    }
    next.holder().granted();
    return Next.again();
  }
}
