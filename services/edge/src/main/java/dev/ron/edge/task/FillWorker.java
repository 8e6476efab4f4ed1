package dev.ron.edge.task;

import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.time.Instant;

/**
 * Takes fills from {@code work}, one at a time.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class FillWorker implements Task {
  private final Channel<Fill> work;

  public FillWorker(Channel<Fill> work) {
    this.work = work;
  }

  @Override
  public Next run(Instant now) {
    return work.tryReceive() == null ? Next.await(work) : Next.again();
  }
}
